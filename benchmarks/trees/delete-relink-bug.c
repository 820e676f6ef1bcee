// The right subtree of the successor is lost when the successor moves.

#include <stdlib.h>

struct node { int key; struct node *left, *right; };

/*@ requires tree(left, right, root);
    ensures  tree(left, right, \result);
    ensures  \forall struct node *v; reach({left, right}, \result, v) ==>
               \old(reach({left, right}, root, v)) && v->key == \old(v->key);
    ensures  \forall struct node *v; \old(reach({left, right}, root, v)) && \old(v->key) != key ==>
               reach({left, right}, \result, v); */
struct node *delete_key(struct node *root, int key)
{
    struct node *parent = NULL, *cur = root, *child;

    while (cur != NULL && cur->key != key) {
        parent = cur;
        cur = key < cur->key ? cur->left : cur->right;
    }
    if (cur == NULL)
        return root;
    if (cur->left == NULL)
        child = cur->right;
    else if (cur->right == NULL)
        child = cur->left;
    else {
        struct node *above = cur;
        child = cur->right;
        while (child->left != NULL) {
            above = child;
            child = child->left;
        }
        if (above != cur) {
            above->left = NULL;
            child->right = cur->right;
        }
        child->left = cur->left;
    }
    if (parent == NULL)
        root = child;
    else if (parent->left == cur)
        parent->left = child;
    else
        parent->right = child;
    free(cur);
    return root; // BUG
}
