// Exchanges the subtrees of the root.

#include <stddef.h>

struct tree { struct tree *left, *right; };

/*@ requires t != NULL && tree(left, right, t);
    assigns  t->left, t->right;
    ensures  tree(left, right, t);
    ensures  t->left == \old(t->right) && t->right == \old(t->left);
    ensures  \forall struct tree *v; reach({left, right}, t, v) <==> \old(reach({left, right}, t, v)); */
void mirror(struct tree *t)
{
    struct tree *l = t->left;
    t->left = t->right;
    t->right = l;
}
