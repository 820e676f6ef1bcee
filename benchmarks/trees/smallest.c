// The smallest node of a binary search tree.

#include <stddef.h>

struct bst { struct bst *l, *r; long key; };

/*@ requires t != NULL && tree(l, r, t);
    requires \forall struct bst *u, *v; reach({l, r}, t, u) && reach({l, r}, u->l, v) ==> v->key <= u->key;
    requires \forall struct bst *u, *v; reach({l, r}, t, u) && reach({l, r}, u->r, v) ==> u->key <= v->key;
    assigns  \nothing;
    ensures  reach({l, r}, t, \result) && \result->l == NULL;
    ensures  \forall struct bst *v; reach({l, r}, t, v) ==> \result->key <= v->key; */
struct bst *smallest(struct bst *t)
{
    struct bst *p = t;
    while (p->l)
        p = p->l;
    return p;
}
