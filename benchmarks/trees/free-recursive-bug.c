// Right subtrees stay, and left ones are freed twice.

#include <stdlib.h>

struct node { int key; struct node *left, *right; };

/*@ requires tree(left, right, t);
    ensures  \forall struct node *v; \old(reach({left, right}, t, v)) ==> !alloc(v); */
void free_tree(struct node *t)
{
    if (t == NULL)
        return;
    free_tree(t->left);
    free_tree(t->left);
    free(t);
} // BUG
