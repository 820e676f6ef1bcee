// The largest node of a binary search tree; null for an empty one.

#include <stddef.h>

struct bst { struct bst *l, *r; long key; };

/*@ requires tree(l, r, t);
    requires \forall struct bst *u, *v; reach({l, r}, t, u) && reach({l, r}, u->l, v) ==> v->key <= u->key;
    requires \forall struct bst *u, *v; reach({l, r}, t, u) && reach({l, r}, u->r, v) ==> u->key <= v->key;
    assigns  \nothing;
    ensures  \result == NULL <==> t == NULL;
    ensures  \forall struct bst *v; reach({l, r}, t, v) ==> v->key <= \result->key; */
struct bst *largest(struct bst *t)
{
    struct bst *best = NULL;
    for (struct bst *p = t; p != NULL; p = p->r)
        best = p;
    return best;
}
