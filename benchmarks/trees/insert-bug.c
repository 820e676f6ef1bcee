// Hangs the new node at the wrong side when it is the only one: not ordered any more.

#include <stdlib.h>

typedef struct node {
    int key;
    struct node *left;
    struct node *right;
} node;

/*@ predicate ordered(node *t) =
      (\forall node *u, *v; reach({left, right}, t, u) && reach({left, right}, u->left, v)
         ==> v->key < u->key) &&
      (\forall node *u, *v; reach({left, right}, t, u) && reach({left, right}, u->right, v)
         ==> u->key < v->key); */

/*@ requires tree(left, right, root) && ordered(root);
    ensures  tree(left, right, \result) && ordered(\result);
    ensures  \forall node *v; \old(reach({left, right}, root, v)) ==> reach({left, right}, \result, v);
    ensures  \exists node *v; reach({left, right}, \result, v) && v->key == key; */
node *insert(node *root, int key)
{
    node *parent = NULL, *cur = root, *n;

    while (cur != NULL) {
        if (cur->key == key)
            return root;
        parent = cur;
        cur = key < cur->key ? cur->left : cur->right;
    }
    n = malloc(sizeof *n);
    if (n == NULL)
        abort();
    n->key = key;
    n->left = NULL;
    n->right = NULL;
    if (parent == NULL)
        return n;
    if (parent->left == NULL)
        parent->left = n;
    else
        parent->right = n;
    return root; // BUG
}
