// Deallocates a list (Predicate and Canonical Abstraction, Table 9).
// expect: deleteAll safe

#include <stdlib.h>

struct node {
    struct node *n;
    int data;
};

/*@ requires ls(n, x, NULL); */
void deleteAll(struct node *x)
{
    struct node *e = x;
    struct node *t;

    while (e != NULL) {
        t = e->n;
        free(e);
        e = t;
    }
}
