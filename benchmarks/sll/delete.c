// Removes an element from a list (Predicate and Canonical Abstraction, Table 9).
// expect: delete safe

#include <stdlib.h>

struct node {
    struct node *n;
    int data;
};

/*@ requires ls(n, x, NULL);
    ensures  reach(n, \result, NULL); */
struct node *delete(struct node *x, int key)
{
    struct node *e = x;
    struct node *p = NULL;
    struct node *t;

    while (e != NULL) {
        if (e->data == key) {
            t = e->n;
            if (p == NULL) {
                free(e);
                return t;
            }
            p->n = t;
            free(e);
            return x;
        }
        p = e;
        e = p->n;
    }
    return x;
}
