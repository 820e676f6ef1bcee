// Merges two treaps: all nodes of both.

#include <stdlib.h>

typedef struct tree {
    int key;
    struct tree *l, *r;
} Tree;

/*@ requires tree(l, r, a) && tree(l, r, b);
    requires \forall Tree *v; !(reach({l, r}, a, v) && reach({l, r}, b, v));
    ensures  tree(l, r, \result);
    ensures  \forall Tree *v; \old(reach({l, r}, a, v)) || \old(reach({l, r}, b, v)) <==> reach({l, r}, \result, v); */
Tree *merge(Tree *a, Tree *b)
{
    if (a == NULL)
        return b;
    if (b == NULL)
        return a;
    if (a->key < b->key) {
        a->r = merge(a->r, b);
        return a;
    }
    b->l = merge(a, b->l);
    return b;
}
