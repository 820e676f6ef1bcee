// A key that is there already is put in once more, on the wrong side of strictness.

#include <stdlib.h>

typedef struct tree {
    int key;
    struct tree *l, *r;
} Tree;

/*@ requires tree(l, r, root);
    requires \forall Tree *u, *v; reach({l, r}, root, u) && reach({l, r}, u->l, v) ==> v->key < u->key;
    requires \forall Tree *u, *v; reach({l, r}, root, u) && reach({l, r}, u->r, v) ==> u->key < v->key;
    ensures  tree(l, r, \result);
    ensures \forall Tree *u, *v; reach({l, r}, \result, u) && reach({l, r}, u->l, v) ==> v->key < u->key;
    ensures \forall Tree *u, *v; reach({l, r}, \result, u) && reach({l, r}, u->r, v) ==> u->key < v->key;
    ensures  \forall Tree *v; \old(reach({l, r}, root, v)) ==> reach({l, r}, \result, v); */
Tree *tree_insert(Tree *root, int key)
{
    Tree *p = NULL, *t = root, *n;

    while (t != NULL) {
        p = t;
        if (key < t->key)
            t = t->l;
        else if (t->key < key)
            t = t->r;
        else
            t = t->r;
    }
    n = malloc(sizeof(Tree));
    if (n == NULL)
        abort();
    n->key = key;
    n->l = n->r = NULL;
    if (p == NULL)
        return n;
    if (key < p->key)
        p->l = n;
    else
        p->r = n;
    return root; // BUG
}
