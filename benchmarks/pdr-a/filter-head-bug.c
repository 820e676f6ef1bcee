// The filter of filter.c with the head of the list typed for the iterator.

#include <stdlib.h>

struct node {
    struct node *next;
};

//@ predicate C(struct node *v);

/*@ assigns \nothing;
    ensures \result != 0 <==> C(v); */
int holds(struct node *v);

/*@ requires reach(next, h, NULL);
    requires reach(next, h, x) && reach(next, x, y) && y != NULL;
    ensures  reach(next, \result, NULL);
    ensures  C(x) && C(y) ==> reach(next, x, y); */
struct node *filter(struct node *h, struct node *x, struct node *y)
{
    struct node *i = h, *j = NULL;

    (void) x;
    (void) y;
    while (i != NULL) {
        struct node *t = i->next;
        if (holds(i)) {
            j = h;
        } else {
            if (j == NULL)
                h = t;
            else
                j->next = t;
            free(i);
        }
        i = t;
    }
    return h; // BUG
}
