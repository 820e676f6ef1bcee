// Visits every node of a tree whose nodes know their parents, without a stack: down to the left, and
// back up when both subtrees were visited. In the end every node was seen.

#include <stddef.h>

struct pnode { struct pnode *left, *right, *parent; int seen; };

/*@ requires tree(left, right, root);
    requires \forall struct pnode *u, *v; reach({left, right}, root, u) && reach({left, right}, root, v)
               ==> (reach(parent, v, u) <==> reach({left, right}, u, v));
    requires \forall struct pnode *u; reach({left, right}, root, u) ==> reach(parent, u, NULL) && u->seen == 0;
    requires \forall struct pnode *u, *v; reach({left, right}, root, u) && reach(parent, u, v) && v != NULL
               ==> reach({left, right}, root, v);
    ensures  tree(left, right, root);
    ensures  \forall struct pnode *v; reach({left, right}, root, v) ==> v->seen == 1;
    ensures  \forall struct pnode *v; reach({left, right}, root, v) <==> \old(reach({left, right}, root, v)); */
void visit(struct pnode *root)
{
    struct pnode *at = root, *from = NULL, *next;

    while (at != NULL) {
        if (from == at->parent) {
            at->seen = 1;
            if (at->left != NULL)
                next = at->left;
            else if (at->right != NULL)
                next = at->right;
            else
                next = at->parent;
        } else if (from == at->left && at->right != NULL)
            next = at->right;
        else
            next = at->parent;
        from = at;
        at = next;
    }
}
