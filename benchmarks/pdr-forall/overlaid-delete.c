// Deletes a node from an overlaid list: the same nodes are linked in two orders, over `next` and over `link`.

#include <stdlib.h>

struct node {
    struct node *next, *link;
};

// The heads of the two orders.
struct node *first, *front;

/*@ predicate overlaid(struct node *a, struct node *b) = reach(next, a, NULL) && reach(link, b, NULL) &&
      \forall struct node *v; v != NULL ==> (reach(next, a, v) <==> reach(link, b, v)); */

/*@ requires overlaid(first, front);
    requires x != NULL && reach(next, first, x);
    ensures  overlaid(first, front);
    ensures  \forall struct node *v; v != NULL ==>
                 (reach(next, first, v) <==> \old(reach(next, first, v)) && v != x);
    ensures  \forall struct node *u, *v; u != x && v != x && v != NULL && \old(reach(next, first, u)) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v)));
    ensures  \forall struct node *u, *v; u != x && v != x && v != NULL && \old(reach(link, front, u)) ==>
                 (reach(link, u, v) <==> \old(reach(link, u, v)));
    ensures  \forall struct node *v; v != NULL ==> (alloc(v) <==> \old(alloc(v)) && v != x); */
void overlaid_delete(struct node *x)
{
    struct node *p = first, *q = NULL;

    while (p != x) {
        q = p;
        p = p->next;
    }
    if (q == NULL)
        first = x->next;
    else
        q->next = x->next;

    p = front;
    q = NULL;
    while (p != x) {
        q = p;
        p = p->link;
    }
    if (q == NULL)
        front = x->link;
    else
        q->link = x->link;
    free(x);
}
