// A recursive call that changes integers only: what hangs where is known after it, and so is every
// integer outside.
// expect: clamp safe
// expect: number safe
// expect[pdr-forall]: clamp verified
// expect[pdr-forall]: number verified

#include <stddef.h>

struct node { int key; struct node *left, *right; };

/*@ requires tree(left, right, t);
    ensures  \forall struct node *v; reach({left, right}, t, v) ==> v->key <= \old(v->key) && v->key <= 9; */
void clamp(struct node *t)
{
    if (t == NULL)
        return;
    clamp(t->left);
    if (t->key > 9)
        t->key = 9;
    clamp(t->right);
}

/*@ requires tree(left, right, t);
    ensures  t != NULL ==> t->key == 1; */
void number(struct node *t)
{
    struct node *none = NULL;
    if (t == NULL)
        return;
    if (t->right != NULL) {
        t->right->key = 5;
        number(t->left);
        if (t->right->key != 5)
            none->key = 0;
    }
    t->key = 1;
}
