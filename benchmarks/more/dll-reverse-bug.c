// Reverses a doubly linked list, and leaves the back pointers of the new first nodes: a cycle.

#include <stddef.h>

struct dnode {
    struct dnode *next, *prev;
};

/*@ predicate dll(struct dnode *h) = reach(next, h, NULL) &&
      (\forall struct dnode *v; v != NULL && reach(next, h, v) ==> reach(prev, v, NULL)) &&
      \forall struct dnode *u, *v; u != NULL && v != NULL && reach(next, h, u) ==>
          (reach(prev, u, v) <==> reach(next, h, v) && reach(next, v, u)); */

/*@ requires dll(h);
    ensures  dll(\result);
    ensures  \forall struct dnode *v; v != NULL ==> (reach(next, \result, v) <==> \old(reach(next, h, v)));
    ensures  \forall struct dnode *u, *v; u != NULL && v != NULL && \old(reach(next, h, u)) &&
                 \old(reach(next, u, v)) ==>
                 reach(next, v, u); */
struct dnode *dll_reverse(struct dnode *h)
{
    struct dnode *last = NULL;

    while (h != NULL) { // BUG
        struct dnode *after = h->next;
        h->next = last;
        if (last != NULL)
            last->prev = h;
        last = h;
        h = after;
    }
    return last;
}
