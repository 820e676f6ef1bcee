// The game of Josephus with the last check forgotten: the last person may leave the ring too.
// test: --engine sll
// expect: josephus violated use-after-free

#include <stdlib.h>

struct person { int number; struct person *next; };

extern int __VERIFIER_nondet_int(void);

/*@ requires ring != NULL && cyclic(next, ring);
    ensures \result != NULL && \result->next == \result; */
struct person *josephus(struct person *ring)
{
    do {
        struct person *out;

        while (__VERIFIER_nondet_int())
            ring = ring->next;
        out = ring->next;
        ring->next = out->next;
        free(out);
    } while (ring->next != ring); // BUG
    return ring;
}
