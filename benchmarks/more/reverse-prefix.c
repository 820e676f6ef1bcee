// Reverses the part of a list before a given node.

#include <stddef.h>

struct node {
    struct node *next;
};

/*@ requires reach(next, h, stop) && reach(next, stop, NULL);
    ensures  reach(next, \result, NULL);
    ensures  \forall struct node *v; v != NULL ==> (reach(next, \result, v) <==> \old(reach(next, h, v)));
    ensures  \forall struct node *u, *v; u != NULL && v != NULL && \old(reach(next, h, u)) &&
                 \old(reach(next, u, v)) &&
                 !\old(reach(next, stop, v)) ==> reach(next, v, u);
    ensures  \forall struct node *u, *v; v != NULL && \old(reach(next, h, u)) &&
                 \old(reach(next, stop, v)) && \old(reach(next, u, v)) ==>
                 reach(next, u, v); */
struct node *reverse_until(struct node *h, struct node *stop)
{
    struct node *done = stop;

    while (h != stop) {
        struct node *n = h->next;
        h->next = done;
        done = h;
        h = n;
    }
    return done;
}
