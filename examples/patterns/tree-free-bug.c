// A tree is taken apart by turning it at its root; nothing is lost, nothing freed twice; what was to the right is lost.
// expect: main violated leak

#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left;
    struct tree *right;
};

int main(void)
{
    struct tree *root = NULL;

    while (__VERIFIER_nondet_int()) {
        struct tree *n = malloc(sizeof(struct tree));
        struct tree *t = root;
        n->left = NULL;
        n->right = NULL;
        if (root == NULL) {
            root = n;
            continue;
        }
        while (t->left != NULL && t->right != NULL)
            t = __VERIFIER_nondet_int() ? t->left : t->right;
        if (t->left == NULL)
            t->left = n;
        else
            t->right = n;
    }
    while (root != NULL) {
        struct tree *t = root->left;
        if (t == NULL) {
            t = root->right;
            free(root);
        } else {
            t->right = root;
            root->left = NULL;
        }
        root = t;
    }
    return 0; // BUG
}
