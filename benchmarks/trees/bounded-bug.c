// One subtree within the bounds is enough.

#include <stdlib.h>

typedef struct tree {
    int key;
    struct tree *l, *r;
} Tree;

/*@ requires tree(l, r, t); assigns \nothing;
    ensures  \result != 0 ==> (\forall Tree *v; reach({l, r}, t, v) ==> lo <= v->key && v->key <= hi); */
int tree_bounded(const Tree *t, int lo, int hi)
{
    if (t == NULL)
        return 1;
    if (t->key < lo || hi < t->key)
        return 0;
    return tree_bounded(t->l, lo, hi) || tree_bounded(t->r, lo, hi); // BUG
}
