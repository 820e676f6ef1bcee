// Inserts a node before a given node of a list, or at the end.

#include <stddef.h>

struct node {
    struct node *next;
};

/*@ requires reach(next, h, NULL) && reach(next, h, x);
    requires e != NULL;
    requires e != NULL ==> e->next == NULL;
    requires e != NULL ==> !reach(next, h, e);
    ensures  reach(next, \result, NULL);
    ensures  \forall struct node *v; v != NULL ==>
                 (reach(next, \result, v) <==> \old(reach(next, h, v)) || v == e);
    ensures  \forall struct node *u, *v; v != NULL && \old(reach(next, h, u)) && \old(reach(next, h, v)) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v)));
    ensures  \forall struct node *v; v != NULL && \old(reach(next, h, v)) ==>
                 (reach(next, e, v) <==> \old(reach(next, x, v))); */
struct node *insert_at(struct node *h, struct node *x, struct node *e)
{
    struct node *p = h, *q = NULL;

    while (p != x && p != NULL) {
        q = p;
        p = p->next;
    }
    e->next = p;
    if (q == NULL)
        return e;
    q->next = e;
    return h;
}
