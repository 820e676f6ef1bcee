// Nodes with parent links: attaches a subtree and keeps the links of both sides in step.
// test: --objects 3
// expect: attach_left safe
// expect[pdr-forall]: attach_left verified

#include <stddef.h>

typedef struct pnode {
    struct pnode *parent, *left, *right;
} pnode;

/*@ requires p != NULL && p->left == NULL;
    requires c == NULL || (c->parent == NULL && c != p);
    assigns  p->left, { x->parent | pnode *x; x != NULL && x == c };
    ensures  p->left == c;
    ensures  c != NULL ==> c->parent == p;
    ensures  p->parent == \old(p->parent) && p->right == \old(p->right); */
void attach_left(pnode *p, pnode *c)
{
    p->left = c;
    if (c != NULL)
        c->parent = p;
}
