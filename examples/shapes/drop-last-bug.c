// Cuts the last node off a list, one node too far: a list of one node has no second.
// test: --engine sll
// expect: drop_last violated null-deref
// expect[auto]: drop_last violated null-deref
// expect[canonical]: drop_last violated null-deref
// expect[explore]: drop_last violated null-deref
// expect[pdr-forall]: drop_last violated null-deref

#include <stdlib.h>

struct node { struct node *next; char c; };

/*@ requires reach(next, h, NULL);
    ensures reach(next, \result, NULL); */
struct node *drop_last(struct node *h)
{
    struct node *p = h;

    if (h == NULL)
        return NULL;
    while (p->next->next != NULL) // BUG
        p = p->next;
    free(p->next);
    p->next = NULL;
    return h;
}
