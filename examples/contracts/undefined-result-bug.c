// Returns a variable that was never written; the contract speaks of the result.
// test: --engine pdr-forall
// expect: last violated postcondition

#include <stddef.h>

struct node { struct node *next; };

/*@ requires reach(next, h, NULL);
    ensures reach(next, \result, NULL); */ // BUG
struct node *last(struct node *h)
{
    struct node *l;

    if (h == NULL)
        return l;
    l = h;
    while (l->next != NULL)
        l = l->next;
    return l;
}
