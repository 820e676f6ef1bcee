// A tree that is reached from a global grows downwards; nothing is lost.
// expect: main safe
// expect[proveit]: main verified

#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left;
    struct tree *right;
};

struct tree *root;

void insert(void)
{
    struct tree *n = malloc(sizeof(struct tree));
    struct tree *t = root;

    n->left = NULL;
    n->right = NULL;
    if (root == NULL) {
        root = n;
        return;
    }
    for (;;) {
        if (__VERIFIER_nondet_int()) {
            if (t->left == NULL) {
                t->left = n;
                return;
            }
            t = t->left;
        } else {
            if (t->right == NULL) {
                t->right = n;
                return;
            }
            t = t->right;
        }
    }
}

int main(void)
{
    root = NULL;
    while (__VERIFIER_nondet_int())
        insert();
    return 0;
}
