// The order of two nodes is no property of one object, and the loop does not leave it alone: this engine
// cannot say it, so the answer is unknown, with the place of the clause.
// test: --engine bohne
// expect: reverse unknown imprecise

#include <stddef.h>

struct node {
    struct node *next;
};

/*@ requires reach(next, h, NULL);
    ensures  reach(next, \result, NULL);
    ensures  \forall struct node *u, *v;
        \old(reach(next, h, u) && reach(next, u, v)) && v != NULL ==> reach(next, v, u); */
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
