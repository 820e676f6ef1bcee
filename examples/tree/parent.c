// Nodes with parent links: replaces a child and keeps the links of both sides in step.
// test: --objects 3
// expect: replace_child safe

#include <stddef.h>

typedef struct pnode {
    struct pnode *parent, *left, *right;
} pnode;

/*@ requires p != NULL && (p->left == old || p->right == old) && old != NULL && old->parent == p && old != p;
    requires new == NULL || (new->parent == NULL && new != p && new != old);
    requires p->left == NULL || p->left != p->right;
    assigns  p->left, p->right, old->parent, { x->parent | pnode *x; x != NULL && x == new };
    ensures  p->left == new || p->right == new;
    ensures  new != NULL ==> new->parent == p;
    ensures  old->parent == NULL; */
void replace_child(pnode *p, pnode *old, pnode *new)
{
    if (p->left == old)
        p->left = new;
    else
        p->right = new;
    if (new != NULL)
        new->parent = p;
    old->parent = NULL;
}
