// Nobody asks whether there is a node.

#include <stdlib.h>

typedef struct tree {
    int key;
    struct tree *l, *r;
} Tree;

/*@ requires tree(l, r, t); assigns \nothing; */
unsigned tree_count(Tree *t)
{
    return tree_count(t->l) + 1 + tree_count(t->r); // BUG
}
