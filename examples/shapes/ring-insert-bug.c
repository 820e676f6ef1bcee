// Puts a new cell into a ring and forgets the rest of it.
// test: --engine sll
// expect: ring_insert violated leak

#include <stdlib.h>

struct cell { int value; struct cell *tail; };

/*@ requires ring != NULL && cyclic(tail, ring);
    ensures  cyclic(tail, ring); */
void ring_insert(struct cell *ring, int value)
{
    struct cell *fresh = malloc(sizeof *fresh);

    fresh->value = value;
    fresh->tail = ring;
    ring->tail = fresh;
} // BUG
