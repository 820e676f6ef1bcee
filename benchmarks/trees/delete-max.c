// Takes the largest node of a tree out and frees it.

#include <stdlib.h>

typedef struct tree {
    int key;
    struct tree *l, *r;
} Tree;

/*@ requires tree(l, r, root);
    ensures  tree(l, r, \result);
    ensures  \forall Tree *v; reach({l, r}, \result, v) ==> \old(reach({l, r}, root, v));
    ensures  \forall Tree *v; \old(reach({l, r}, root, v)) && alloc(v) ==> reach({l, r}, \result, v); */
Tree *tree_delete_max(Tree *root)
{
    Tree *p = NULL, *t = root;

    if (t == NULL)
        return NULL;
    while (t->r) {
        p = t;
        t = t->r;
    }
    if (p)
        p->r = t->l;
    else
        root = t->l;
    free(t);
    return root;
}
