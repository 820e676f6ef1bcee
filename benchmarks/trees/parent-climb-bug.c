// Stops below the root: the loop looks one parent too far.

#include <stddef.h>

struct pnode {
    struct pnode *left, *right, *parent;
};

/*@ requires tree(left, right, root) && reach({left, right}, root, n);
    requires \forall struct pnode *u, *v; reach({left, right}, root, u) && reach({left, right}, root, v)
               ==> (reach(parent, v, u) <==> reach({left, right}, u, v));
    requires \forall struct pnode *u; reach({left, right}, root, u) ==> reach(parent, u, NULL);
    requires \forall struct pnode *u, *v; reach({left, right}, root, u) && reach(parent, u, v) && v != NULL
               ==> reach({left, right}, root, v);
    assigns  \nothing;
    ensures  \result == root; */
struct pnode *climb(struct pnode *root, struct pnode *n)
{
    struct pnode *at = n;
    while (at->parent != NULL && at->parent->parent != NULL)
        at = at->parent;
    return at; // BUG
}
