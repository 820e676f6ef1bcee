// The right subtree of the new root is overwritten before it is moved.

#include <stdlib.h>

struct bst { struct bst *left, *right; int key; };

/*@ requires root != NULL && tree(left, right, root);
    ensures  tree(left, right, \result);
    ensures  \forall struct bst *v; reach({left, right}, \result, v) <==>
               \old(reach({left, right}, root, v)) && v != root; */
struct bst *delete_root(struct bst *root)
{
    struct bst *next, *parent;

    if (root->left == NULL) {
        next = root->right;
        free(root);
        return next;
    }
    if (root->right == NULL) {
        next = root->left;
        free(root);
        return next;
    }
    parent = root;
    next = root->right;
    while (next->left != NULL) {
        parent = next;
        next = next->left;
    }
    if (parent != root) {
        parent->left = NULL;
        next->right = root->right;
    }
    next->left = root->left;
    free(root);
    return next; // BUG
}
