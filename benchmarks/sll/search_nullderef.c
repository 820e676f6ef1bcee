// An erroneous search: it forgets that the element may not be there (Predicate and Canonical Abstraction, Table 9).
// expect: search_nullderef violated null-deref

#include <stddef.h>

struct node {
    struct node *n;
    int data;
};

/*@ requires ls(n, x, NULL);
    ensures  reach(n, x, \result); */
struct node *search_nullderef(struct node *x, int key)
{
    struct node *e = x;

    while (e->data != key) // BUG
        e = e->n;
    return e;
}
