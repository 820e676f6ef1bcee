// The list reversal, applied to a partially cyclic list (Predicate and Canonical Abstraction, Table 9): the way in is turned
// round, then the cycle, then the way in once more. The result is a partially cyclic list again.
// expect: reverse_cyclic safe

#include <stddef.h>

struct node {
    struct node *n;
    int data;
};

/*@ requires x != NULL && !reach(n, x, NULL) && !cyclic(n, x);
    ensures  \result != NULL && !reach(n, \result, NULL) && !cyclic(n, \result); */
struct node *reverse_cyclic(struct node *x)
{
    struct node *y = NULL;
    struct node *t;

    while (x != NULL) {
        t = y;
        y = x;
        x = y->n;
        y->n = t;
    }
    return y;
}
