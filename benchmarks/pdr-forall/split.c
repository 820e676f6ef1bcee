// Moves the nodes that fail a test to another list; both lists keep the order.

#include <stddef.h>

struct node {
    struct node *next;
};

//@ predicate C(struct node *v);

/*@ assigns \nothing;
    ensures \result != 0 <==> C(v); */
int holds(struct node *v);

// The list of the nodes that failed.
struct node *g;

/*@ requires reach(next, h, NULL) && g == NULL;
    ensures  reach(next, \result, NULL) && reach(next, g, NULL);
    ensures  \forall struct node *v; v != NULL ==>
                 (reach(next, \result, v) <==> \old(reach(next, h, v)) && C(v));
    ensures  \forall struct node *v; v != NULL ==>
                 (reach(next, g, v) <==> \old(reach(next, h, v)) && !C(v));
    ensures  \forall struct node *u, *v; u != NULL && v != NULL && (C(u) <==> C(v)) &&
                 \old(reach(next, h, u)) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v))); */
struct node *split(struct node *h)
{
    struct node *i = h, *j = NULL, *k = NULL;

    while (i != NULL) {
        struct node *t = i->next;
        if (holds(i)) {
            j = i;
        } else {
            if (j == NULL)
                h = t;
            else
                j->next = t;
            i->next = NULL;
            if (k == NULL)
                g = i;
            else
                k->next = i;
            k = i;
        }
        i = t;
    }
    return h;
}
