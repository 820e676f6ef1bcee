// A tree with parent pointers, built downwards; any way down finds them right.
// test: --gc
// expect: main safe

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left;
    struct tree *right;
    struct tree *parent;
};

static struct tree *make(struct tree *parent)
{
    struct tree *t = malloc(sizeof(struct tree));
    t->left = NULL;
    t->right = NULL;
    t->parent = parent;
    return t;
}

int main(void)
{
    struct tree *root = make(NULL);
    struct tree *t;

    while (__VERIFIER_nondet_int()) {
        t = root;
        while (t->left != NULL && t->right != NULL) {
            if (__VERIFIER_nondet_int())
                t = t->left;
            else
                t = t->right;
        }
        if (t->left == NULL)
            t->left = make(t);
        else
            t->right = make(t);
    }
    t = root;
    while (t->left != NULL) {
        assert(t->left->parent == t);
        if (t->right != NULL && __VERIFIER_nondet_int()) {
            assert(t->right->parent == t);
            t = t->right;
        } else {
            t = t->left;
        }
    }
    return 0;
}
