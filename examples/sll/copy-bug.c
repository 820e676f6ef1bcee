// A shallow copy: the copied node links to the original tail.
// expect: copy violated postcondition

#include <stdlib.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires ls(next, h, NULL);
    assigns  \nothing;
    ensures  reach(next, \result, NULL);
    ensures  h == NULL <==> \result == NULL;
    ensures  h != NULL ==> \result->data == h->data;
    ensures  \forall struct node *v; v != NULL && reach(next, \result, v) ==> !\old(alloc(v)); // BUG
    ensures  \forall struct node *v; v != NULL && reach(next, h, v) ==> \exists struct node *w; w != NULL && reach(next, \result, w) && w->data == v->data; */
struct node *copy(struct node *h)
{
    struct node *n;

    if (!h)
        return NULL;
    n = malloc(sizeof *n);
    *n = *h;
    return n;
}
