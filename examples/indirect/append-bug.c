// Appends a list through a pointer to a link; an empty list stays empty.
// expect: append violated postcondition
// expect[pdr-forall]: append violated postcondition

#include <stddef.h>

struct node { struct node *next; };

/*@ requires reach(next, a, NULL) && reach(next, b, NULL);
    requires \forall struct node *v; v != NULL && reach(next, a, v) ==> !reach(next, b, v);
    ensures  \forall struct node *v; v != NULL ==> // BUG
                 (reach(next, \result, v) <==> \old(reach(next, a, v)) || \old(reach(next, b, v))); */
struct node *append(struct node *a, struct node *b)
{
    struct node **link = &a;

    while (*link != NULL)
        link = &(*link)->next;
    if (link != &a)
        *link = b;
    return a;
}
