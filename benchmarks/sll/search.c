// Searches for an element with a specified value (Predicate and Canonical Abstraction, Table 9).
// expect: search safe

#include <stddef.h>

struct node {
    struct node *n;
    int data;
};

/*@ requires ls(n, x, NULL);
    ensures  reach(n, x, \result);
    ensures  reach(n, x, NULL); */
struct node *search(struct node *x, int key)
{
    struct node *e = x;

    while (e != NULL && e->data != key)
        e = e->n;
    return e;
}
