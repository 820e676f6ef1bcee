// Frees the nodes that fail a test. Of two arbitrary nodes with a path between them, those that pass are
// kept, those that fail are not, and if both pass the path is.

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
    ensures  C(x) <==> reach(next, \result, x);
    ensures  C(y) <==> reach(next, \result, y);
    ensures  C(x) && C(y) ==> reach(next, x, y); */
struct node *filter(struct node *h, struct node *x, struct node *y)
{
    struct node *i = h, *j = NULL;

    (void) x;
    (void) y;
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
