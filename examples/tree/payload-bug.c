// Two nodes may lead to one item.
// expect: drop violated double-free
// expect[pdr-forall]: drop violated double-free

#include <stdlib.h>

struct item { int weight; };
struct node { struct item *item; struct node *left, *right; };

/*@ requires tree(left, right, t); */
void drop(struct node *t)
{
    while (t != NULL) {
        free(t->item); // BUG
        t->item = NULL;
        t = t->left;
    }
}
