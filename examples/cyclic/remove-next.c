// Removes the node behind the entry point of a ring with at least two nodes.
// expect: ring_remove_next safe
// expect[pdr-forall]: ring_remove_next verified

#include <stdlib.h>

struct ring {
    struct ring *next;
    int data;
};

/*@ requires r != NULL && cyclic(next, r) && r->next != r;
    ensures  cyclic(next, r) && \result == \old(r->next->data);
    ensures  content(next, r) == \diff(\old(content(next, r)), {\old(r->next)}); */
int ring_remove_next(struct ring *r)
{
    struct ring *x = r->next;
    int d = x->data;
    r->next = x->next;
    free(x);
    return d;
}
