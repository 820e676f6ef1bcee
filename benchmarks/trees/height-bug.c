// A tree without nodes is looked into.

#include <stddef.h>

struct node { int key; struct node *left, *right; };

/*@ requires tree(left, right, t); assigns \nothing; */
int height(struct node *t)
{
    int l, r;
    l = height(t->left); // BUG
    r = height(t->right);
    return 1 + (l < r ? r : l);
}
