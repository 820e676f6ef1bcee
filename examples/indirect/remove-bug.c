// Removes a node through the link that leads to it, but takes its successor with it.
// expect: remove_node violated postcondition
// expect[pdr-forall]: remove_node violated postcondition

#include <stddef.h>

struct node { int data; struct node *next; };

/*@ requires reach(next, head, NULL) && x != NULL && reach(next, head, x);
    ensures  \forall struct node *v; v != NULL ==> // BUG
                 (reach(next, \result, v) <==> \old(reach(next, head, v)) && v != x); */
struct node *remove_node(struct node *head, struct node *x)
{
    struct node **link = &head;

    while (*link != x)
        link = &(*link)->next;
    *link = x->next ? x->next->next : NULL;
    return head;
}
