// A list that grows at its end. All marks are on.

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    bool on;
    struct cell *next;
};

int main(void)
{
    struct cell *x = malloc(sizeof(struct cell));
    struct cell *y = x;

    x->on = true;
    x->next = NULL;
    while (__VERIFIER_nondet_int()) {
        y->next = malloc(sizeof(struct cell));
        y = y->next;
        y->on = true;
        y->next = NULL;
    }
    while (x != NULL) {
        assert(x->on);
        y = x->next;
        free(x);
        x = y;
    }
    return 0;
}
