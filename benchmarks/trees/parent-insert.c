// Hangs a new leaf below a node that has room for it, and tells the leaf its parent.

#include <stdlib.h>

struct pnode {
    struct pnode *left, *right, *parent;
};

/*@ requires root != NULL && tree(left, right, root);
    requires \forall struct pnode *u; reach({left, right}, root, u) ==> reach(parent, u, NULL);
    requires \forall struct pnode *u, *v; reach({left, right}, root, u) && reach({left, right}, root, v)
               ==> (reach(parent, v, u) <==> reach({left, right}, u, v));
    requires \forall struct pnode *u, *v; reach({left, right}, root, u) && reach(parent, u, v) && v != NULL
               ==> reach({left, right}, root, v);
    ensures  tree(left, right, root) && reach({left, right}, root, \result);
    ensures  \forall struct pnode *u, *v; reach({left, right}, root, u) && reach({left, right}, root, v)
               ==> (reach(parent, v, u) <==> reach({left, right}, u, v)); */
struct pnode *add_left(struct pnode *root)
{
    struct pnode *at = root, *n = malloc(sizeof *n);
    if (n == NULL)
        abort();
    n->left = NULL;
    n->right = NULL;
    while (at->left != NULL)
        at = at->left;
    n->parent = at;
    at->left = n;
    return n;
}
