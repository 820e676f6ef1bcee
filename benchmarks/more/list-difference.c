// Frees the nodes that another list over the same nodes has marked for removal.

#include <stdlib.h>

struct node {
    struct node *next;
    _Bool doomed;
};

/*@ requires reach(next, h, NULL);
    ensures  reach(next, \result, NULL);
    ensures  \forall struct node *v; v != NULL && \old(reach(next, h, v)) ==>
                 (alloc(v) <==> reach(next, \result, v));
    ensures  \forall struct node *v; v != NULL && reach(next, \result, v) ==>
                 \old(reach(next, h, v)) && !v->doomed;
    ensures  \forall struct node *v; v != NULL && \old(reach(next, h, v)) && !\old(v->doomed) ==>
                 reach(next, \result, v); */
struct node *subtract(struct node *h)
{
    struct node *p, *q = NULL;

    while (h != NULL && h->doomed) {
        p = h->next;
        free(h);
        h = p;
    }
    for (p = h; p != NULL; p = q->next) {
        if (!p->doomed) {
            q = p;
            continue;
        }
        q->next = p->next;
        free(p);
    }
    return h;
}
