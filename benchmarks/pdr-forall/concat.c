// Appends one list to another.

#include <stddef.h>

struct node {
    struct node *next;
};

/*@ requires reach(next, a, NULL) && reach(next, b, NULL);
    requires \forall struct node *v; v != NULL && reach(next, a, v) ==> !reach(next, b, v);
    ensures  reach(next, \result, NULL);
    ensures  \forall struct node *v; v != NULL ==>
                 (reach(next, \result, v) <==> \old(reach(next, a, v)) || \old(reach(next, b, v)));
    ensures  \forall struct node *u, *v; u != NULL && v != NULL &&
                 (\old(reach(next, a, u)) || \old(reach(next, b, u))) ==>
                 (reach(next, u, v) <==>
                      \old(reach(next, u, v)) || (\old(reach(next, a, u)) && \old(reach(next, b, v)))); */
struct node *concat(struct node *a, struct node *b)
{
    struct node *p = a;

    if (a == NULL)
        return b;
    while (p->next != NULL)
        p = p->next;
    p->next = b;
    return a;
}
