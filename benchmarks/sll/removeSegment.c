// Removes the segment between low and high from a cyclic list (Predicate and Canonical Abstraction, Fig. 2 and Table 9).
//
// The segment is left to a garbage collector, as in the paper: without one it is leaked.
// test: --no-check leak
// expect: removeSegment safe

#include <stddef.h>

struct node {
    struct node *n;
    int data;
};

/*@ requires x != NULL && cyclic(n, x);
    ensures  cyclic(n, x); */
void removeSegment(struct node *x, int low, int high)
{
    struct node *t = NULL;
    struct node *y = x;
    struct node *z;

    while (t != x && y->data < low) {
        t = y->n;
        y = t;
    }
    z = y;
    while (z != x && z->data < high) {
        t = z->n;
        z = t;
    }
    t = NULL;
    if (y != z) {
        y->n = NULL;
        y->n = z;
    }
}
