// The right subtree of a node that has a left one is forgotten.

#include <stdlib.h>

typedef struct tree {
    int key;
    struct tree *l, *r;
} Tree;

/*@ requires tree(l, r, t);
    ensures  \forall Tree *v; reach({l, r}, t, v) ==> v->key == key; */
void tree_fill(Tree *t, int key)
{
    if (!t)
        return;
    t->key = key;
    tree_fill(t->l, key);
    if (!t->l)
        tree_fill(t->r, key);
} // BUG
