// Moves the first element after the last element (paper 002, Table 9): closes the list to a cycle
// and opens it one node further.
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
    struct node *t;

    y->n = x;
    t = x->n;
    x->n = NULL;
    return t;
}
