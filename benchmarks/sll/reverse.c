// Reverses an acyclic list in place (Predicate and Canonical Abstraction, Table 9).
// expect: reverse safe

#include <stddef.h>

struct node {
    struct node *n;
    int data;
};

/*@ requires ls(n, x, NULL);
    ensures  reach(n, \result, NULL); */
struct node *reverse(struct node *x)
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
