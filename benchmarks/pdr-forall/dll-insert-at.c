// Inserts a node before a given node of a doubly linked list, or at the end.

#include <stddef.h>

struct dnode {
    struct dnode *next, *prev;
};

/*@ predicate dll(struct dnode *h) = reach(next, h, NULL) &&
      (\forall struct dnode *v; v != NULL && reach(next, h, v) ==> reach(prev, v, NULL)) &&
      \forall struct dnode *u, *v; u != NULL && v != NULL && reach(next, h, u) ==>
          (reach(prev, u, v) <==> reach(next, h, v) && reach(next, v, u)); */

/*@ requires dll(h) && reach(next, h, x);
    requires e != NULL && !reach(next, h, e);
    requires e->next == NULL && e->prev == NULL;
    ensures  dll(\result);
    ensures  \forall struct dnode *v; v != NULL ==>
                 (reach(next, \result, v) <==> \old(reach(next, h, v)) || v == e);
    ensures  \forall struct dnode *u, *v; v != NULL && \old(reach(next, h, u)) && \old(reach(next, h, v)) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v)));
    ensures  \forall struct dnode *v; v != NULL && \old(reach(next, h, v)) ==>
                 (reach(next, e, v) <==> \old(reach(next, x, v))); */
struct dnode *dll_insert_at(struct dnode *h, struct dnode *x, struct dnode *e)
{
    struct dnode *p = h, *q = NULL;

    while (p != x) {
        q = p;
        p = p->next;
    }
    e->next = p;
    e->prev = q;
    if (p != NULL)
        p->prev = e;
    if (q == NULL)
        h = e;
    else
        q->next = e;
    return h;
}
