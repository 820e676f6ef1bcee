// Frees a list from the first node on that fails a test, and returns it even if that was the first.

#include <stdlib.h>

struct node {
    struct node *next;
};

//@ predicate Fits(struct node *v);

/*@ assigns \nothing;
    ensures \result != 0 <==> Fits(v); */
int fits(struct node *v);

/*@ requires reach(next, h, NULL);
    ensures  reach(next, \result, NULL);
    ensures  \forall struct node *v; v != NULL && reach(next, \result, v) ==>
                 \old(reach(next, h, v)) && Fits(v) && alloc(v);
    ensures  \forall struct node *v; v != NULL && \old(reach(next, h, v)) && !reach(next, \result, v) ==>
                 !alloc(v);
    ensures  \forall struct node *u, *v; v != NULL && \old(reach(next, h, u)) && \old(reach(next, u, v)) &&
                 reach(next, \result, v) ==>
                 reach(next, \result, u) && reach(next, u, v); */
struct node *take_while(struct node *h)
{
    struct node *p = h, *q = NULL;

    while (p && fits(p)) {
        q = p;
        p = p->next;
    }
    if (q)
        q->next = NULL;
    while (p) {
        struct node *dead = p;
        p = p->next;
        free(dead);
    }
    return h; // BUG
}
