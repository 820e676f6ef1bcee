// The height of a tree: memory is used safely.

#include <stddef.h>

struct node { int key; struct node *left, *right; };

/*@ requires tree(left, right, t); assigns \nothing; */
int height(struct node *t)
{
    int l, r;
    if (t == NULL)
        return 0;
    l = height(t->left);
    r = height(t->right);
    return 1 + (l < r ? r : l);
}
