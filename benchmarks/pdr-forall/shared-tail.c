// Finds the last nodes of two lists. If the lists share a tail, it is the same node; that has no universal
// invariant: a substructure may leave the shared part out.

#include <stddef.h>

struct node {
    struct node *next;
};

/*@ requires reach(next, g, NULL) && reach(next, h, NULL);
    requires \exists struct node *v; v != NULL && reach(next, g, v) && reach(next, h, v); */
void traverse_two(struct node *g, struct node *h)
{
    struct node *i = g, *j = h, *p = NULL, *q = NULL;

    while (i != NULL || j != NULL) {
        if (i != NULL) {
            p = i;
            i = i->next;
        }
        if (j != NULL) {
            q = j;
            j = j->next;
        }
    }
    //@ assert p == q;
}
