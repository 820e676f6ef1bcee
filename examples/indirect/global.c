// A list in a global variable, changed through its address.
// expect: add safe
// expect[pdr-forall]: add verified

#include <stddef.h>

struct node { struct node *next; };

struct node *list;

static void push(struct node **head, struct node *n)
{
    n->next = *head;
    *head = n;
}

/*@ requires n != NULL && reach(next, list, NULL) && !reach(next, list, n) && n->next == NULL;
    ensures  list == n && reach(next, list, NULL) && n->next == \old(list); */
void add(struct node *n)
{
    push(&list, n);
}
