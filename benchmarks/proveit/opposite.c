// Two flags of a cell are always opposite (Heap Interpolant Synthesis, section 6.4.1: conditional predicates).
// expect: main safe

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    bool p1;
    bool p2;
    struct cell *next;
};

int main(void)
{
    struct cell *l = NULL;
    struct cell *c;

    while (__VERIFIER_nondet_int()) {
        c = malloc(sizeof(struct cell));
        if (__VERIFIER_nondet_int()) {
            c->p1 = true;
            c->p2 = false;
        } else {
            c->p1 = false;
            c->p2 = true;
        }
        c->next = l;
        l = c;
    }
    while (l != NULL) {
        assert(l->p1 != l->p2);
        c = l->next;
        free(l);
        l = c;
    }
    return 0;
}
