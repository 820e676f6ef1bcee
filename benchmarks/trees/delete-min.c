// Takes the smallest node out of a tree: it has one child at most, which takes its place.

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
        parent->left = min->right;
    free(min);
    return root;
}
