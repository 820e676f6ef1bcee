// Searches a doubly linked list for a node, unlinks it and frees it.

#include <stdlib.h>

struct dnode {
    struct dnode *next, *prev;
};

/*@ predicate dll(struct dnode *h) = reach(next, h, NULL) &&
      (\forall struct dnode *v; v != NULL && reach(next, h, v) ==> reach(prev, v, NULL)) &&
      \forall struct dnode *u, *v; u != NULL && v != NULL && reach(next, h, u) ==>
          (reach(prev, u, v) <==> reach(next, h, v) && reach(next, v, u)); */

/*@ requires dll(h) && x != NULL && reach(next, h, x);
    ensures  dll(\result);
    ensures  \forall struct dnode *v; v != NULL ==>
                 (reach(next, \result, v) <==> \old(reach(next, h, v)) && v != x);
    ensures  \forall struct dnode *u, *v; u != x && v != x && v != NULL && \old(reach(next, h, u)) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v)));
    ensures  \forall struct dnode *v; v != NULL ==> (alloc(v) <==> \old(alloc(v)) && v != x); */
struct dnode *dll_delete(struct dnode *h, struct dnode *x)
{
    struct dnode *p = h;

    while (p != x)
        p = p->next;
    if (p->prev == NULL)
        h = p->next;
    else
        p->prev->next = p->next;
    if (p->next != NULL)
        p->next->prev = p->prev;
    free(p);
    return h;
}
