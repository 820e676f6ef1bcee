// The game of Josephus: in a ring, every step some people are passed over and the next one leaves,
// until one is left, who is alone in a ring.
// test: --engine sll
// expect: josephus verified

#include <stdlib.h>

struct person { int number; struct person *next; };

extern int __VERIFIER_nondet_int(void);

/*@ requires ring != NULL && cyclic(next, ring);
    ensures \result != NULL && \result->next == \result; */
struct person *josephus(struct person *ring)
{
    while (ring->next != ring) {
        struct person *out;

        while (__VERIFIER_nondet_int())
            ring = ring->next;
        out = ring->next;
        if (out == ring)
            break;
        ring->next = out->next;
        free(out);
    }
    return ring;
}
