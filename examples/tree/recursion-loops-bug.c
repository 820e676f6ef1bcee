// The right subtree of the last node of a spine is never released.
// expect: release violated leak
// expect[pdr-forall]: release violated leak

#include <stdlib.h>

struct node { int key; struct node *left, *right; };

/*@ requires tree(left, right, t); */
void release(struct node *t)
{
    while (t != NULL) {
        struct node *left = t->left;
        if (left != NULL)
            release(t->right);
        free(t);
        t = left;
    }
} // BUG
