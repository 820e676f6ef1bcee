// Recursive calls whose loops run in the heap of the caller: an invariant is about the heap that a
// procedure is given.
// expect: release safe
// expect: deepest safe
// expect[pdr-forall]: release verified
// expect[pdr-forall]: deepest verified
// expect[bohne]: deepest verified

#include <stdlib.h>

struct node { int key; struct node *left, *right; };

/*@ requires tree(left, right, t);
    ensures  \forall struct node *v; \old(reach({left, right}, t, v)) ==> !alloc(v); */
void release(struct node *t)
{
    while (t != NULL) {
        struct node *left = t->left;
        release(t->right);
        free(t);
        t = left;
    }
}

/*@ requires tree(left, right, t);
    assigns  \nothing;
    ensures  \result == NULL || reach({left, right}, \old(t), \result); */
struct node *deepest(struct node *t)
{
    struct node *found;
    if (t == NULL)
        return NULL;
    found = deepest(t->left);
    if (found != NULL)
        return found;
    while (t->right != NULL)
        t = t->right;
    return t;
}
