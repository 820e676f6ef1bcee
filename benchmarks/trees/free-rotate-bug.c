// The right subtree of a child that is rotated up is forgotten.

#include <stdlib.h>

struct node { struct node *left, *right; };

/*@ requires tree(left, right, root); */
void free_tree(struct node *root)
{
    while (root != NULL) {
        struct node *left = root->left;
        if (left != NULL) {
            root->left = NULL;
            left->right = root;
            root = left;
        } else {
            struct node *right = root->right;
            free(root);
            root = right;
        }
    }
} // BUG
