// A tree of one node is returned after it was freed.

#include <stdlib.h>

typedef struct n { struct n *l, *r; int v; } n;

/*@ requires t != NULL && tree(l, r, t);
    ensures  tree(l, r, \result);
    ensures  \forall n *x; reach({l, r}, \result, x) ==> \old(reach({l, r}, t, x)); */
n *remove_leaf(n *t)
{
    n *up = NULL, *x = t;

    for (;;) {
        if (x->l) {
            up = x;
            x = x->l;
        } else if (x->r) {
            up = x;
            x = x->r;
        } else {
            break;
        }
    }
    if (!up) {
        free(x);
        return t; // BUG
    }
    if (up->l == x)
        up->l = NULL;
    else
        up->r = NULL;
    free(x);
    return t;
}
