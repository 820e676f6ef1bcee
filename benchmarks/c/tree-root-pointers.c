#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct tree {
    struct tree *root;
    struct tree *left;
    struct tree *right;
};

static struct tree *new_node(struct tree *root)
{
    struct tree *t = malloc(sizeof *t);
    if (!t) abort();
    t->root = root ? root : t;
    t->left = t->right = NULL;
    return t;
}

static void check_and_free(struct tree *t, struct tree *root)
{
    if (t->root != root)
        reach_error();
    if (t->left)
        check_and_free(t->left, root);
    if (t->right)
        check_and_free(t->right, root);
    free(t);
}

int main(void)
{
    struct tree *t = new_node(NULL);
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            t = t->root;
        } else if (__VERIFIER_nondet_int()) {
            if (!t->left)
                t->left = new_node(t->root);
            t = t->left;
        } else {
            if (!t->right)
                t->right = new_node(t->root);
            t = t->right;
        }
    }
    t = t->root;
    check_and_free(t, t);
    return 0;
}
