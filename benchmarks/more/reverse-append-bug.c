// Puts the reversal of one list before another, but reads a link after it has overwritten it.

#include <stddef.h>

struct node {
    struct node *next;
};

/*@ requires reach(next, a, NULL) && reach(next, b, NULL);
    requires \forall struct node *v; v != NULL && reach(next, a, v) ==> !reach(next, b, v);
    ensures  reach(next, \result, NULL);
    ensures  \forall struct node *v; v != NULL ==>
                 (reach(next, \result, v) <==> \old(reach(next, a, v)) || \old(reach(next, b, v)));
    ensures  \forall struct node *u, *v; u != NULL && v != NULL && \old(reach(next, a, u)) &&
                 \old(reach(next, u, v)) ==> reach(next, v, u);
    ensures  \forall struct node *u, *v; u != NULL && v != NULL && \old(reach(next, a, u)) &&
                 \old(reach(next, b, v)) ==> reach(next, u, v);
    ensures  \forall struct node *u, *v; v != NULL && \old(reach(next, b, u)) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v))); */
struct node *rev_append(struct node *a, struct node *b)
{
    for (struct node *n; a; a = n) {
        a->next = b;
        n = a->next;
        b = a;
    }
    return b; // BUG
}
