// Swaps the first two elements of a list (Predicate and Canonical Abstraction, Table 9).
// expect: swap safe

#include <stddef.h>

struct node {
    struct node *n;
    int data;
};

/*@ requires ls(n, x, NULL);
    ensures  reach(n, \result, NULL);
    ensures  x != NULL ==> reach(n, \result, x); */
struct node *swap(struct node *x)
{
    struct node *p;
    struct node *t;

    if (x == NULL)
        return x;
    p = x->n;
    if (p == NULL)
        return x;
    t = p->n;
    x->n = t;
    p->n = x;
    return p;
}
