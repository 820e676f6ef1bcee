// Tells whether a tree is a search tree within bounds.

#include <stdlib.h>

typedef struct tree {
    int key;
    struct tree *l, *r;
} Tree;

/*@ requires tree(l, r, t); assigns \nothing;
    ensures  \result != 0 ==> (\forall Tree *v; reach({l, r}, t, v) ==> lo <= v->key && v->key <= hi);
    ensures  \result != 0 ==> (\forall Tree *u, *v; reach({l, r}, t, u) && reach({l, r}, u->l, v) ==> v->key <= u->key);
    ensures  \result != 0 ==> (\forall Tree *u, *v; reach({l, r}, t, u) && reach({l, r}, u->r, v) ==> u->key <= v->key); */
int is_search_tree(const Tree *t, int lo, int hi)
{
    if (t == NULL)
        return 1;
    if (t->key < lo || hi < t->key)
        return 0;
    return is_search_tree(t->l, lo, t->key) && is_search_tree(t->r, t->key, hi);
}
