// Removes a node through the link that leads to it: no special case for the first one.
// expect: remove_node safe
// expect[pdr-forall]: remove_node verified

#include <stddef.h>

struct node { int data; struct node *next; };

/*@ requires reach(next, head, NULL) && x != NULL && reach(next, head, x);
    ensures  reach(next, \result, NULL);
    ensures  \forall struct node *v; v != NULL ==>
                 (reach(next, \result, v) <==> \old(reach(next, head, v)) && v != x); */
struct node *remove_node(struct node *head, struct node *x)
{
    struct node **link = &head;

    while (*link != x)
        link = &(*link)->next;
    *link = x->next;
    return head;
}
