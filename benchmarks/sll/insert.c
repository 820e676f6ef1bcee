// Inserts an element into a sorted list (Predicate and Canonical Abstraction, Table 9).
// expect: insert safe

#include <stdlib.h>

struct node {
    struct node *n;
    int data;
};

/*@ requires ls(n, x, NULL);
    ensures  \result != NULL && reach(n, \result, NULL); */
struct node *insert(struct node *x, int key)
{
    struct node *p = NULL;
    struct node *c = x;
    struct node *e;

    while (c != NULL && c->data < key) {
        p = c;
        c = p->n;
    }
    e = malloc(sizeof(struct node));
    e->data = key;
    e->n = c;
    if (p == NULL)
        return e;
    p->n = e;
    return x;
}
