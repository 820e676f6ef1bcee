// Dynamically allocates a new linked list (Predicate and Canonical Abstraction, Table 9).
// expect: create safe

#include <stdlib.h>

struct node {
    struct node *n;
    int data;
};

/*@ ensures reach(n, \result, NULL); */
struct node *create(int size)
{
    struct node *x = NULL;
    struct node *e;

    while (size > 0) {
        e = malloc(sizeof(struct node));
        e->data = size;
        e->n = x;
        x = e;
        size = size - 1;
    }
    return x;
}
