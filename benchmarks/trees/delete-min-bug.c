// The right child of the smallest node is forgotten.

#include <stdlib.h>

struct bst { struct bst *left, *right; int key; };

/*@ requires root != NULL && tree(left, right, root);
    ensures  tree(left, right, \result);
    ensures  \forall struct bst *v; reach({left, right}, \result, v) ==> \old(reach({left, right}, root, v)); */
struct bst *delete_min(struct bst *root)
{
    struct bst *parent = NULL, *min = root;

    while (min->left != NULL) {
        parent = min;
        min = min->left;
    }
    if (parent == NULL)
        root = min->right;
    else
        parent->left = NULL;
    free(min);
    return root; // BUG
}
