// The call is given the node whose integer is looked at afterwards.
// expect: number violated null-deref
// expect[pdr-forall]: number violated null-deref

#include <stddef.h>

struct node { int key; struct node *left, *right; };

/*@ requires tree(left, right, t);
    ensures  t != NULL ==> t->key == 1; */
void number(struct node *t)
{
    struct node *none = NULL, *inner;
    if (t == NULL)
        return;
    if (t->left != NULL && t->left->right != NULL) {
        inner = t->left->right;
        inner->key = 5;
        number(t->left);
        if (inner->key != 5)
            none->key = 0; // BUG
    }
    number(t->right);
    t->key = 1;
}
