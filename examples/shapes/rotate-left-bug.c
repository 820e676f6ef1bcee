// Rotates a list, but cuts the ring before it has looked where to begin.
// test: --engine sll
// expect: rotate violated postcondition

#include <stddef.h>

struct node { int v; struct node *next; };

extern int __VERIFIER_nondet_int(void);

/*@ requires reach(next, h, NULL);
    ensures reach(next, \result, NULL);
    ensures h != NULL ==> \result != NULL && reach(next, \result, h); // BUG */
struct node *rotate(struct node *h)
{
    struct node *last;

    if (h == NULL || h->next == NULL)
        return h;
    last = h;
    while (last->next)
        last = last->next;
    last->next = h;
    while (__VERIFIER_nondet_int())
        last = last->next;
    last->next = NULL;
    h = last->next;
    return h;
}
