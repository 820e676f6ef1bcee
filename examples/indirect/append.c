// Appends a list through a pointer to the link that has to change.
// expect: append safe
// expect[pdr-forall]: append verified
// expect[auto]: append verified

#include <stddef.h>

struct node { struct node *next; };

/*@ requires reach(next, a, NULL) && reach(next, b, NULL);
    requires \forall struct node *v; v != NULL && reach(next, a, v) ==> !reach(next, b, v);
    ensures  reach(next, \result, NULL);
    ensures  \forall struct node *v; v != NULL ==>
                 (reach(next, \result, v) <==> \old(reach(next, a, v)) || \old(reach(next, b, v))); */
struct node *append(struct node *a, struct node *b)
{
    struct node **link = &a;

    while (*link != NULL)
        link = &(*link)->next;
    *link = b;
    return a;
}
