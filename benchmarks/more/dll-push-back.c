// Appends to a doubly linked list by walking to its end.

#include <stdlib.h>

struct dnode {
    struct dnode *prev;
    struct dnode *next;
};

/*@ predicate dll(struct dnode *h) = reach(next, h, NULL) &&
      (\forall struct dnode *v; v != NULL && reach(next, h, v) ==> reach(prev, v, NULL)) &&
      \forall struct dnode *u, *v; u != NULL && v != NULL && reach(next, h, u) ==>
          (reach(prev, u, v) <==> reach(next, h, v) && reach(next, v, u)); */

/*@ requires dll(h);
    ensures  dll(\result);
    ensures  \forall struct dnode *v; v != NULL && \old(alloc(v)) ==>
                 (reach(next, \result, v) <==> \old(reach(next, h, v)));
    ensures  h != NULL ==> \result == h; */
struct dnode *push_back(struct dnode *h)
{
    struct dnode *e = malloc(sizeof *e), *p;

    e->next = NULL;
    e->prev = NULL;
    if (h == NULL)
        return e;
    p = h;
    while (p->next != NULL)
        p = p->next;
    p->next = e;
    e->prev = p;
    return h;
}
