// Searches a list for a node, unlinks it and frees it.

#include <stdlib.h>

struct node {
    struct node *next;
};

/*@ requires reach(next, h, NULL) && reach(next, x, NULL);
    ensures  reach(next, \result, NULL);
    ensures  \forall struct node *v; v != NULL ==>
                 (reach(next, \result, v) <==> \old(reach(next, h, v)) && v != x);
    ensures  \forall struct node *u, *v; u != x && v != x && v != NULL && \old(reach(next, h, u)) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v)));
    ensures  \forall struct node *v; v != NULL ==>
                 (alloc(v) <==> \old(alloc(v)) && !(v == x && \old(reach(next, h, v)))); */
struct node *delete(struct node *h, struct node *x)
{
    struct node *p = h, *q = NULL;

    while (p != NULL && p != x) {
        q = p;
        p = p->next;
    }
    if (p == NULL)
        return h;
    if (q == NULL)
        h = p->next;
    else
        q->next = p->next;
    free(p);
    return h;
}
