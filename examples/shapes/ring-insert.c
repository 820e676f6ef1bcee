// Puts a new cell into a ring, or makes a ring of it.
// test: --engine sll
// expect: ring_insert verified

#include <stdlib.h>

struct cell { int value; struct cell *tail; };

static void *xmalloc(unsigned long size)
{
    void *p = malloc(size);

    if (p == NULL)
        abort();
    return p;
}

/*@ requires ring == NULL || cyclic(tail, ring);
    ensures  \result != NULL && cyclic(tail, \result);
    ensures  ring != NULL ==> reach(tail, \result, ring); */
struct cell *ring_insert(struct cell *ring, int value)
{
    struct cell *fresh = xmalloc(sizeof *fresh);

    fresh->value = value;
    if (ring == NULL) {
        fresh->tail = fresh;
        return fresh;
    }
    fresh->tail = ring->tail;
    ring->tail = fresh;
    return ring;
}
