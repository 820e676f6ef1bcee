// Reverses a list in place.

#include <stddef.h>

struct node {
    struct node *next;
};

/*@ requires reach(next, h, NULL);
    ensures  reach(next, \result, NULL);
    ensures  \forall struct node *v; v != NULL ==>
                 (reach(next, \result, v) <==> \old(reach(next, h, v)));
    ensures  \forall struct node *u, *v; u != NULL && v != NULL && \old(reach(next, h, u)) &&
                 \old(reach(next, h, v)) ==>
                 (reach(next, u, v) <==> \old(reach(next, v, u))); */
struct node *reverse(struct node *h)
{
    struct node *r = NULL;

    while (h != NULL) {
        struct node *t = h->next;
        h->next = r;
        r = h;
        h = t;
    }
    return r;
}
