// Rotates the left child of a node up, and brings the heights up to date.

#include <stdlib.h>

typedef struct avl {
    int key, height;
    struct avl *l, *r;
} Avl;

static int height(const Avl *t)
{
    return t ? t->height : 0;
}

static void update(Avl *t)
{
    int a = height(t->l), b = height(t->r);
    t->height = (a < b ? b : a) + 1;
}

/*@ requires tree(l, r, t) && t != NULL && t->l != NULL;
    ensures  tree(l, r, \result) && \result == \old(t->l) && \result->r == t;
    ensures  \forall Avl *v; \old(reach({l, r}, t, v)) <==> reach({l, r}, \result, v);
    ensures  \forall Avl *v; reach({l, r}, \result, v) ==> v->key == \old(v->key); */
Avl *rotate_right(Avl *t)
{
    Avl *x = t->l;

    t->l = x->r;
    x->r = t;
    update(t);
    update(x);
    return x;
}
