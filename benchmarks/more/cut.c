// Cuts the segment from one node up to, but without, another out of a list.

#include <stddef.h>

struct node {
    struct node *next;
};

/*@ requires reach(next, h, from) && reach(next, from, to) && reach(next, to, NULL);
    requires from != to;
    ensures  reach(next, \result, NULL) && reach(next, from, NULL);
    ensures  \forall struct node *v; v != NULL && \old(reach(next, h, v)) ==>
                 (reach(next, from, v) <==> \old(reach(next, from, v)) && !\old(reach(next, to, v)));
    ensures  \forall struct node *v; v != NULL ==>
                 (reach(next, \result, v) <==> \old(reach(next, h, v)) && !reach(next, from, v));
    ensures  \forall struct node *u, *v; v != NULL && reach(next, \result, u) && \old(reach(next, u, v)) &&
                 !reach(next, from, v) ==>
                 reach(next, u, v); */
struct node *cut(struct node *h, struct node *from, struct node *to)
{
    struct node *before = NULL, *p = h;

    while (p != from) {
        before = p;
        p = p->next;
    }
    if (before)
        before->next = to;
    else
        h = to;
    while (p->next != to)
        p = p->next;
    p->next = NULL;
    return h;
}
