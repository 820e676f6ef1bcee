// Puts a key into a tree, as everybody writes it: all nodes stay, and the key is there.

#include <stdlib.h>

struct node { int key; struct node *left, *right; };

/*@ requires tree(left, right, t);
    ensures  tree(left, right, \result) && \result != NULL;
    ensures  \forall struct node *v; \old(reach({left, right}, t, v)) ==> reach({left, right}, \result, v);
    ensures  \exists struct node *v; reach({left, right}, \result, v) && v->key == key; */
struct node *insert(struct node *t, int key)
{
    if (t == NULL) {
        t = malloc(sizeof *t);
        if (t == NULL)
            abort();
        t->key = key;
        t->left = NULL;
        t->right = NULL;
        return t;
    }
    if (key < t->key)
        t->left = insert(t->left, key);
    else if (t->key < key)
        t->right = insert(t->right, key);
    return t;
}
