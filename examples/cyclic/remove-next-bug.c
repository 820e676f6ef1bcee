// Nothing says that the ring has a second node; on a ring of one the entry itself is freed.
// expect: ring_remove_next violated postcondition
// expect[pdr-forall]: ring_remove_next violated postcondition

#include <stdlib.h>

struct ring {
    struct ring *next;
    int data;
};

/*@ requires r != NULL && cyclic(next, r);
    ensures  cyclic(next, r); // BUG
*/
int ring_remove_next(struct ring *r)
{
    struct ring *x = r->next;
    int d = x->data;
    r->next = x->next;
    free(x);
    return d;
}
