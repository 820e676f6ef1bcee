// Two lists of the same length, walked in step: that the second does not end first is a fact about
// lengths, which shapes do not keep. There is no invariant, and no heap shows an error.
// test: --engine sll
// expect: lockstep no-invariant

#include <stdlib.h>

struct cell { int value; struct cell *tail; };

extern int __VERIFIER_nondet_int(void);

/*@ requires \true; */
void lockstep(void)
{
    struct cell *a = NULL, *b = NULL, *c;

    while (__VERIFIER_nondet_int()) {
        c = malloc(sizeof *c);
        c->tail = a;
        a = c;
        c = malloc(sizeof *c);
        c->tail = b;
        b = c;
    }
    while (a) {
        c = a->tail;
        free(a);
        a = c;
        c = b->tail;
        free(b);
        b = c;
    }
}
