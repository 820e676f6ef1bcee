// Moves the first element after the last element (Predicate and Canonical Abstraction, Table 9).
// expect: rotate safe

#include <stddef.h>

struct node {
    struct node *n;
    int data;
};

/*@ requires x != NULL && ls(n, x, NULL);
    requires y != NULL && reach(n, x, y) && y->n == NULL;
    ensures  \result != NULL && reach(n, \result, NULL);
    ensures  reach(n, \result, x) && x->n == NULL; */
struct node *rotate(struct node *x, struct node *y)
{
    struct node *t = x->n;

    if (t == NULL)
        return x;
    x->n = NULL;
    y->n = x;
    return t;
}
