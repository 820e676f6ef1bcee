// A tree without a red node below a red one, built downwards; any way down shows it.
// test: --gc
// expect: main safe

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    bool red;
    struct tree *left;
    struct tree *right;
};

static struct tree *root;

static struct tree *make(bool red)
{
    struct tree *t = malloc(sizeof(struct tree));
    t->red = red;
    t->left = NULL;
    t->right = NULL;
    return t;
}

int main(void)
{
    struct tree *t;

    root = make(__VERIFIER_nondet_int() != 0);
    while (__VERIFIER_nondet_int()) {
        t = root;
        while (t->left != NULL && t->right != NULL) {
            if (__VERIFIER_nondet_int())
                t = t->left;
            else
                t = t->right;
        }
        if (t->left == NULL)
            t->left = make(!t->red && __VERIFIER_nondet_int());
        else
            t->right = make(!t->red && __VERIFIER_nondet_int());
    }
    bool above = false;
    t = root;
    while (t != NULL) {
        assert(!(above && t->red));
        above = t->red;
        if (__VERIFIER_nondet_int())
            t = t->left;
        else
            t = t->right;
    }
    return 0;
}
