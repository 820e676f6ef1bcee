// Swaps the children of all nodes on the way to the left.

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
        t->r = x;
        t = x;
    }
}
