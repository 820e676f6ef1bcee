// Frees a tree leaf by leaf: from the root down to some leaf, again and again.

#include <stdlib.h>

struct node { struct node *left; struct node *right; };

/*@ requires tree(left, right, root); */
void destroy(struct node *root)
{
    while (root != NULL) {
        struct node *parent = NULL, *n = root;
        while (n->left != NULL || n->right != NULL) {
            parent = n;
            if (n->left != NULL)
                n = n->left;
            else
                n = n->right;
        }
        if (parent == NULL)
            root = NULL;
        else if (parent->left == n)
            parent->left = NULL;
        else
            parent->right = NULL;
        free(n);
    }
}
