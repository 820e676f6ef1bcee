// Heap Interpolant Synthesis, Fig. 6.8, with a bug: the value is flipped after the cell was written.
// expect: main violated assertion

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    bool data;
    struct cell *next;
};

int main(void)
{
    struct cell *x = malloc(sizeof(struct cell));
    struct cell *y;
    struct cell *z;
    bool p_val = true;

    x->data = p_val;
    y = x;
    y->next = NULL;
    while (__VERIFIER_nondet_int()) {
        z = malloc(sizeof(struct cell));
        z->data = p_val;
        p_val = !p_val;
        z->next = NULL;
        y->next = z;
        y = z;
    }
    p_val = true;
    y = x;
    while (y != NULL) {
        assert(y->data == p_val); // BUG
        p_val = !p_val;
        y = y->next;
    }
    while (x != NULL) {
        y = x->next;
        free(x);
        x = y;
    }
    return 0;
}
