// Left subtrees are lost.

#include <stddef.h>

struct node { int key; struct node *left, *right; };

/*@ requires tree(left, right, t);
    ensures  tree(left, right, t);
    ensures  \forall struct node *v; \old(reach({left, right}, t, v)) <==> reach({left, right}, t, v); */
void mirror(struct node *t)
{
    struct node *l;
    if (t == NULL)
        return;
    mirror(t->left);
    mirror(t->right);
    l = t->left;
    t->left = t->right;
    t->right = NULL;
} // BUG
