// Nodes that lead to other objects, shared or not: all nodes are reached over the fields of the tree,
// so no node has a parent elsewhere.
// expect: any_heavy safe
// expect: lighten safe
// expect[pdr-forall]: any_heavy verified
// expect[pdr-forall]: lighten verified

#include <stddef.h>

struct item { int weight; };
struct node { struct item *item; struct node *left, *right; };

/*@ requires tree(left, right, t);
    requires \forall struct node *v; reach({left, right}, t, v) ==> v->item != NULL;
    assigns  \nothing; */
int any_heavy(struct node *t)
{
    if (t == NULL)
        return 0;
    return t->item->weight > 100 || any_heavy(t->left) || any_heavy(t->right);
}

/*@ requires tree(left, right, t);
    ensures  tree(left, right, t);
    ensures  \forall struct node *v; \old(reach({left, right}, t, v)) <==> reach({left, right}, t, v); */
void lighten(struct node *t)
{
    struct node *at = t;
    while (at != NULL) {
        if (at->item != NULL)
            at->item->weight = 0;
        at = at->right;
    }
}
