// The new node takes the place of a subtree.

#include <stdlib.h>

struct node { int key; struct node *left, *right; };

/*@ requires tree(left, right, root);
    ensures  tree(left, right, \result);
    ensures  \forall struct node *v; \old(reach({left, right}, root, v)) ==> reach({left, right}, \result, v);
    ensures  \exists struct node *v; reach({left, right}, \result, v) && v->key == key; */
struct node *insert(struct node *root, int key)
{
    struct node **link = &root, *n;

    while (*link != NULL) {
        if ((*link)->key == key)
            break;
        link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    }
    n = malloc(sizeof *n);
    if (n == NULL)
        abort();
    n->key = key;
    n->left = NULL;
    n->right = NULL;
    *link = n;
    return root; // BUG
}
