// The filter of filter.c, which forgets that the head may fail the test.

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
                 (reach(next, \result, v) <==> \old(reach(next, h, v)) && C(v)); */
struct node *filter(struct node *h)
{
    struct node *i = h, *j = NULL;

    while (i != NULL) {
        struct node *t = i->next;
        if (holds(i)) {
            j = i;
        } else {
            j->next = t; // BUG
            free(i);
        }
        i = t;
    }
    return h;
}
