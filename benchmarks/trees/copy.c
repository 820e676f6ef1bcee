// Copies a tree: the original stays, and the copy shares nothing with it.

#include <stdlib.h>

typedef struct tree {
    int key;
    struct tree *l, *r;
} Tree;

/*@ requires tree(l, r, t);
    ensures  tree(l, r, t) && tree(l, r, \result);
    ensures  \forall Tree *v; \old(reach({l, r}, t, v)) <==> reach({l, r}, t, v);
    ensures  \forall Tree *v; !(reach({l, r}, t, v) && reach({l, r}, \result, v)); */
Tree *tree_copy(Tree *t)
{
    Tree *n;

    if (t == NULL)
        return NULL;
    n = malloc(sizeof *n);
    if (n == NULL)
        abort();
    n->key = t->key;
    n->l = tree_copy(t->l);
    n->r = tree_copy(t->r);
    return n;
}
