// Looks a key up in a binary search tree. What is found is a node of the tree and has the key; a
// tree without it gives null.

#include <stddef.h>

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
    assigns  \nothing;
    ensures  \result != NULL ==> reach({left, right}, root, \result) && \result->key == key;
    ensures  \result == NULL ==>
               \forall node *v; reach({left, right}, root, v) ==> v->key != key; */
node *lookup(node *root, int key)
{
    node *cur = root;
    while (cur != NULL) {
        if (key == cur->key)
            return cur;
        if (key < cur->key)
            cur = cur->left;
        else
            cur = cur->right;
    }
    return NULL;
}
