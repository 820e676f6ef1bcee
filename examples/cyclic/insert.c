// Inserts a node behind the entry point of a circular list.
// expect: ring_insert safe
// expect[pdr-forall]: ring_insert verified

#include <stddef.h>

struct ring {
    struct ring *next;
    int data;
};

/*@ requires r != NULL && cyclic(next, r);
    requires n != NULL && !reach(next, r, n) && n->next == NULL;
    assigns  r->next, n->next;
    ensures  cyclic(next, r) && r->next == n && n->next == \old(r->next);
    ensures  content(next, r) == \union({n}, \old(content(next, r))); */
void ring_insert(struct ring *r, struct ring *n)
{
    n->next = r->next;
    r->next = n;
}
