// Frees a whole tree in constant space: a left child is rotated up until there is none.

#include <stdlib.h>

struct node { struct node *left, *right; };

/*@ requires tree(left, right, root); */
void free_tree(struct node *root)
{
    while (root != NULL) {
        struct node *left = root->left;
        if (left != NULL) {
            root->left = left->right;
            left->right = root;
            root = left;
        } else {
            struct node *right = root->right;
            free(root);
            root = right;
        }
    }
}
