// Nodes that know their parents: leaves are put at random places, and from some node one climbs to
// the root. Then all is freed, leaf by leaf, over the parents.

#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct pnode { struct pnode *left, *right, *parent; };

int main(void)
{
    struct pnode *root = malloc(sizeof *root), *at;
    if (root == NULL)
        abort();
    root->left = root->right = root->parent = NULL;

    at = root;
    while (__VERIFIER_nondet_int()) {
        if (at->left == NULL) {
            struct pnode *n = malloc(sizeof *n);
            if (n == NULL)
                abort();
            n->left = n->right = NULL;
            n->parent = at;
            at->left = n;
            at = root;
        } else if (at->right == NULL) {
            struct pnode *n = malloc(sizeof *n);
            if (n == NULL)
                abort();
            n->left = n->right = NULL;
            n->parent = at;
            at->right = n;
            at = root;
        } else {
            at = __VERIFIER_nondet_int() ? at->left : at->right;
        }
    }
    while (at->parent != NULL)
        at = at->parent;
    assert(at == root);
    while (at != NULL) {
        struct pnode *up;
        if (at->left != NULL) {
            at = at->left;
        } else if (at->right != NULL) {
            at = at->right;
        } else {
            up = at->parent;
            if (up != NULL) {
                if (up->left == at)
                    up->left = NULL;
                else
                    up->right = NULL;
            }
            free(at);
            at = up;
        }
    }
    return 0;
}
