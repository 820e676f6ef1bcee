// A tree whose leaves are marked: inner nodes have two children, leaves none.
// test: --gc
// expect: main safe

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    bool leaf;
    struct tree *left;
    struct tree *right;
};

static struct tree *root;

static struct tree *make(void)
{
    struct tree *t = malloc(sizeof(struct tree));
    t->leaf = true;
    t->left = NULL;
    t->right = NULL;
    return t;
}

int main(void)
{
    struct tree *t;

    root = make();
    while (__VERIFIER_nondet_int()) {
        t = root;
        while (!t->leaf && __VERIFIER_nondet_int()) {
            if (__VERIFIER_nondet_int())
                t = t->left;
            else
                t = t->right;
        }
        if (t->leaf) {
            t->left = make();
            t->right = make();
            t->leaf = false;
        }
    }
    t = root;
    while (!t->leaf) {
        if (__VERIFIER_nondet_int())
            t = t->left;
        else
            t = t->right;
    }
    assert(t->left == NULL && t->right == NULL);
    return 0;
}
