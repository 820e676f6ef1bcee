// A left rotation below a link of the parent, found by a walk: tree-ness and content are kept.

#include <stddef.h>

struct tree {
    struct tree *left, *right;
    int key;
};

/*@ requires tree(left, right, root);
    ensures  tree(left, right, \result);
    ensures  \forall struct tree *v; reach({left, right}, \result, v) <==> \old(reach({left, right}, root, v)); */
struct tree *rotate_left_at(struct tree *root, int key)
{
    struct tree *parent = NULL, *x = root, *y;

    while (x != NULL && x->key != key) {
        parent = x;
        x = key < x->key ? x->left : x->right;
    }
    if (x == NULL || x->right == NULL)
        return root;
    y = x->right;
    x->right = y->left;
    y->left = x;
    if (parent == NULL)
        return y;
    if (parent->left == x)
        parent->left = y;
    else
        parent->right = y;
    return root;
}
