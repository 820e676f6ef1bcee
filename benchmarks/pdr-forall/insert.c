// Inserts a node before the first node that passes a test, or at the end.

#include <stddef.h>

struct node {
    struct node *next;
};

//@ predicate C(struct node *v);

/*@ assigns \nothing;
    ensures \result != 0 <==> C(v); */
int holds(struct node *v);

/*@ requires reach(next, h, NULL);
    requires e != NULL && !reach(next, h, e);
    requires e->next == NULL;
    ensures  reach(next, \result, NULL);
    ensures  \forall struct node *v; v != NULL ==>
                 (reach(next, \result, v) <==> \old(reach(next, h, v)) || v == e);
    ensures  \forall struct node *u, *v; v != NULL && \old(reach(next, h, u)) && \old(reach(next, h, v)) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v)));
    ensures  \forall struct node *v; \old(reach(next, h, v)) && reach(next, v, e) ==> !C(v);
    ensures  e->next != NULL ==> C(e->next); */
struct node *insert(struct node *h, struct node *e)
{
    struct node *p = h, *q = NULL;

    while (p != NULL && !holds(p)) {
        q = p;
        p = p->next;
    }
    e->next = p;
    if (q == NULL)
        h = e;
    else
        q->next = e;
    return h;
}
