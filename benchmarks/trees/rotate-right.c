// A right rotation at the root: the same nodes, still a tree, still ordered.

#include <stddef.h>

struct tree {
    struct tree *left, *right;
    int key;
};

/*@ requires t != NULL && t->left != NULL && tree(left, right, t);
    requires \forall struct tree *u, *v; reach({left, right}, t, u) && reach({left, right}, u->left, v) ==> v->key <= u->key;
    requires \forall struct tree *u, *v; reach({left, right}, t, u) && reach({left, right}, u->right, v) ==> u->key <= v->key;
    ensures  tree(left, right, \result) && \result == \old(t->left);
    ensures  \forall struct tree *v; reach({left, right}, \result, v) <==> \old(reach({left, right}, t, v));
    ensures  \forall struct tree *u, *v; reach({left, right}, \result, u) && reach({left, right}, u->left, v) ==> v->key <= u->key;
    ensures  \forall struct tree *u, *v; reach({left, right}, \result, u) && reach({left, right}, u->right, v) ==> u->key <= v->key; */
struct tree *rotate_right(struct tree *t)
{
    struct tree *l = t->left;
    t->left = l->right;
    l->right = t;
    return l;
}
