// The links are written in the wrong order: the new node points to itself and the ring is cut.
// expect: ring_insert violated postcondition
// expect[pdr-forall]: ring_insert violated postcondition

#include <stddef.h>

struct ring {
    struct ring *next;
    int data;
};

/*@ requires r != NULL && cyclic(next, r);
    requires n != NULL && !reach(next, r, n) && n->next == NULL;
    assigns  r->next, n->next;
    ensures  cyclic(next, r); // BUG
*/
void ring_insert(struct ring *r, struct ring *n)
{
    r->next = n;
    n->next = r->next;
}
