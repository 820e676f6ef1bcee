// A recursive call that is given two trees, or a tree and a node in it.
// expect: graft safe
// expect: mark safe
// expect[pdr-forall]: graft verified
// expect[pdr-forall]: mark verified

#include <stddef.h>

struct node { int key; struct node *left, *right; };

/*@ requires tree(left, right, a) && tree(left, right, b);
    requires \forall struct node *v; !(reach({left, right}, a, v) && reach({left, right}, b, v));
    ensures  tree(left, right, \result);
    ensures  \forall struct node *v; \old(reach({left, right}, a, v)) || \old(reach({left, right}, b, v))
               <==> reach({left, right}, \result, v); */
struct node *graft(struct node *a, struct node *b)
{
    if (a == NULL)
        return b;
    a->right = graft(a->right, b);
    return a;
}

/*@ requires tree(left, right, root) && (at == NULL || reach({left, right}, root, at));
    ensures  at != NULL ==> at->key == 0; */
void mark(struct node *root, struct node *at)
{
    if (at == NULL)
        return;
    mark(root, at->left);
    at->key = 0;
}
