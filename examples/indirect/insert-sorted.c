// Inserts a node in front of the first one that is greater.
// expect: insert safe
// expect[pdr-forall]: insert verified

#include <stddef.h>

struct node { int key; struct node *next; };

/*@ requires reach(next, head, NULL) && x != NULL && x->next == NULL && !reach(next, head, x);
    requires sorted(next, key, head, NULL);
    ensures  reach(next, \result, NULL) && reach(next, \result, x);
    ensures  sorted(next, key, \result, NULL); */
struct node *insert(struct node *head, struct node *x)
{
    struct node **link = &head;

    while (*link != NULL && (*link)->key < x->key)
        link = &(*link)->next;
    x->next = *link;
    *link = x;
    return head;
}
