// Inserts a node in front of the first one that is greater, and forgets the rest.
// expect: insert violated postcondition
// expect[pdr-forall]: insert violated postcondition

#include <stddef.h>

struct node { int key; struct node *next; };

/*@ requires reach(next, head, NULL) && x != NULL && x->next == NULL && !reach(next, head, x);
    ensures  \forall struct node *v; \old(reach(next, head, v)) ==> reach(next, \result, v); */ // BUG
struct node *insert(struct node *head, struct node *x)
{
    struct node **link = &head;

    while (*link != NULL && (*link)->key < x->key)
        link = &(*link)->next;
    *link = x;
    return head;
}
