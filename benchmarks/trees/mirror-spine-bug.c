// A right subtree stays where it is, as well.

#include <stdlib.h>

typedef struct tree {
    int key;
    struct tree *l, *r;
} Tree;

/*@ requires tree(l, r, root);
    ensures  tree(l, r, root);
    ensures  \forall Tree *v; \old(reach({l, r}, root, v)) <==> reach({l, r}, root, v); */
void tree_swap_spine(Tree *root)
{
    Tree *t = root, *x;

    while (t) {
        x = t->l;
        t->l = t->r;
        if (x)
            t->r = x;
        t = x;
    }
} // BUG
