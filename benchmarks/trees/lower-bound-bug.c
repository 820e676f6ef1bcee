// The first candidate is kept.

#include <stdlib.h>

typedef struct tree {
    int key;
    struct tree *l, *r;
} Tree;

/*@ requires tree(l, r, t);
    requires \forall Tree *u, *v; reach({l, r}, t, u) && reach({l, r}, u->l, v) ==> v->key < u->key;
    requires \forall Tree *u, *v; reach({l, r}, t, u) && reach({l, r}, u->r, v) ==> u->key < v->key;
    assigns  \nothing;
    ensures  \result == NULL || reach({l, r}, t, \result) && \result->key <= key;
    ensures  \forall Tree *v; reach({l, r}, t, v) && v->key <= key ==> \result != NULL && v->key <= \result->key; */
Tree *tree_floor(Tree *t, int key)
{
    Tree *best = NULL, *at = t;

    while (at) {
        if (key < at->key) {
            at = at->l;
        } else {
            if (!best)
                best = at;
            at = at->r;
        }
    }
    return best; // BUG
}
