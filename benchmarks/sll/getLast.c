// Retrieves the last element of a list (Predicate and Canonical Abstraction, Table 9).
// expect: getLast safe

#include <stddef.h>

struct node {
    struct node *n;
    int data;
};

/*@ requires x != NULL && ls(n, x, NULL);
    ensures  reach(n, x, \result) && \result != NULL && \result->n == NULL;
    ensures  reach(n, x, NULL); */
struct node *getLast(struct node *x)
{
    struct node *y = x;
    struct node *t = y->n;

    while (t != NULL) {
        y = t;
        t = y->n;
    }
    return y;
}
