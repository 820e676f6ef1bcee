// Keeps the nodes that pass a test, in their order, and frees the others.

#include <stdlib.h>

struct node {
    struct node *next;
};

//@ predicate C(struct node *v);

/*@ assigns \nothing;
    ensures \result != 0 <==> C(v); */
int holds(struct node *v);

/*@ requires reach(next, h, NULL);
    ensures  reach(next, \result, NULL);
    ensures  \forall struct node *v; v != NULL ==>
                 (reach(next, \result, v) <==> \old(reach(next, h, v)) && C(v));
    ensures  \forall struct node *u, *v; u != NULL && v != NULL && C(u) && C(v) && \old(reach(next, h, u)) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v)));
    ensures  \forall struct node *v; v != NULL ==>
                 (alloc(v) <==> \old(alloc(v)) && (\old(reach(next, h, v)) ==> C(v))); */
struct node *filter(struct node *h)
{
    struct node *i = h, *j = NULL;

    while (i != NULL) {
        struct node *t = i->next;
        if (holds(i)) {
            j = i;
        } else {
            if (j == NULL)
                h = t;
            else
                j->next = t;
            free(i);
        }
        i = t;
    }
    return h;
}
