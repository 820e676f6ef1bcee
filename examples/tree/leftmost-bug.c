// Runs off the end of the left spine.
// test: --objects 3 --int-values 0
// expect: leftmost violated null-deref

#include <stddef.h>

struct tree {
    struct tree *left, *right;
    int key;
};

/*@ requires t != NULL && reach(left, t, NULL);
    assigns  \nothing;
    ensures  \result != NULL && reach(left, t, \result); */
struct tree *leftmost(struct tree *t)
{
    while (t->left->left != NULL) // BUG
        t = t->left;
    return t;
}
