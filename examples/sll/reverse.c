// Reverses a list in place: the same nodes, in a list, and the old head is last.
// expect: reverse safe
// expect[auto]: reverse verified
// expect[pdr-forall]: reverse verified

#include <stddef.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires ls(next, h, NULL);
    assigns  { v->next | struct node *v; v != NULL && reach(next, h, v) };
    ensures  ls(next, \result, NULL);
    ensures  \forall struct node *v; reach(next, \result, v) <==> \old(reach(next, h, v));
    ensures  \forall struct node *u, *v; u != NULL && v != NULL && \old(reach(next, h, u)) && \old(reach(next, u, v)) ==> reach(next, v, u);
    ensures  \forall struct node *v; v != NULL ==> v->data == \old(v->data); */
struct node *reverse(struct node *h)
{
    struct node *r = NULL;
    //@ loop invariant ls(next, r, NULL) && ls(next, h, NULL);
    while (h != NULL) {
        struct node *t = h->next;
        h->next = r;
        r = h;
        h = t;
    }
    return r;
}
