// The call is given the second tree as a whole and changes what the caller has seen of it.
// expect: mark violated null-deref
// expect: graft violated postcondition

#include <stddef.h>

struct node { int key; struct node *left, *right; };

/*@ requires tree(left, right, root) && (at == NULL || reach({left, right}, root, at));
    ensures  at != NULL ==> at->key == 0; */
void mark(struct node *root, struct node *at)
{
    struct node *none = NULL;
    if (at == NULL)
        return;
    if (at->left != NULL && at->right != NULL) {
        at->left->key = 1;
        mark(at, at->left);
        if (at->left->key != 1)
            none->key = 0; // BUG
    }
    at->key = 0;
}

/*@ requires tree(left, right, a) && tree(left, right, b);
    requires \forall struct node *v; !(reach({left, right}, a, v) && reach({left, right}, b, v));
    ensures  \forall struct node *v; \old(reach({left, right}, a, v)) || \old(reach({left, right}, b, v))
               <==> reach({left, right}, \result, v); */
struct node *graft(struct node *a, struct node *b)
{
    if (a == NULL)
        return b;
    if (b == NULL)
        return a;
    if (a->right == NULL)
        a->right = b;
    else
        graft(a->right, b->left);
    return a; // BUG
}
