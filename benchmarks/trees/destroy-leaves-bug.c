// The parent keeps its link to the leaf that was freed.

#include <stdlib.h>

struct node { struct node *left; struct node *right; };

/*@ requires tree(left, right, root); */
void destroy(struct node *root)
{
    while (root != NULL) {
        struct node *parent = NULL, *n = root;
        while (n->left != NULL || n->right != NULL) { // BUG
            parent = n;
            if (n->left != NULL)
                n = n->left;
            else
                n = n->right;
        }
        if (parent == NULL)
            root = NULL;
        else if (parent->left == n)
            n->left = NULL;
        else
            parent->right = NULL;
        free(n);
    }
}
