// Builds a tree by putting leaves at random places, then takes it apart by rotations. Nothing is
// leaked, nothing is freed twice.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *left; struct node *right; };

static struct node *leaf(void)
{
    struct node *n = malloc(sizeof(struct node));
    if (n == NULL)
        abort();
    n->left = NULL;
    n->right = NULL;
    return n;
}

int main(void)
{
    struct node *root = leaf();

    while (__VERIFIER_nondet_int()) {
        struct node *at = root;
        while (at->left != NULL && at->right != NULL)
            at = __VERIFIER_nondet_int() ? at->left : at->right;
        if (at->left == NULL && __VERIFIER_nondet_int())
            at->left = leaf();
        else if (at->right == NULL)
            at->right = leaf();
    }
    while (root != NULL) {
        struct node *l = root->left;
        if (l != NULL) {
            root->left = l->right;
            l->right = root;
            root = l;
        } else {
            struct node *rest = root->right;
            free(root);
            root = rest;
        }
    }
    return 0;
}
