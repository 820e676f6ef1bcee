// The subtree without the node is not kept.

#include <stdlib.h>

struct node { int key; struct node *left, *right; };

/*@ requires tree(left, right, t);
    ensures  tree(left, right, \result);
    ensures  \forall struct node *v; reach({left, right}, \result, v) ==> \old(reach({left, right}, t, v));
    ensures  \forall struct node *v; \old(reach({left, right}, t, v)) && alloc(v) ==> reach({left, right}, \result, v); */
struct node *delete(struct node *t, int key)
{
    struct node *next;
    if (t == NULL)
        return NULL;
    if (key < t->key)
        delete(t->left, key);
    else if (t->key < key)
        t->right = delete(t->right, key);
    else if (t->left == NULL) {
        next = t->right;
        free(t);
        return next;
    } else if (t->right == NULL) {
        next = t->left;
        free(t);
        return next;
    } else {
        next = t->right;
        while (next->left != NULL)
            next = next->left;
        t->key = next->key;
        t->right = delete(t->right, next->key);
    }
    return t; // BUG
}
