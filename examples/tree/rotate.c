// A right rotation changes three links and loses nothing.
// test: --objects 3 --int-values 0
// expect: rotate_right safe
// expect[pdr-forall]: rotate_right verified

#include <stddef.h>

struct tree {
    struct tree *left, *right;
    int key;
};

/*@ requires t != NULL && t->left != NULL && t->left != t;
    requires reach(left, t, NULL) && t->left->right != t;
    assigns  t->left, t->left->right;
    ensures  \result == \old(t->left);
    ensures  \result->right == t && t->left == \old(t->left->right);
    ensures  t->right == \old(t->right) && \result->left == \old(t->left->left); */
struct tree *rotate_right(struct tree *t)
{
    struct tree *l = t->left;
    t->left = l->right;
    l->right = t;
    return l;
}
