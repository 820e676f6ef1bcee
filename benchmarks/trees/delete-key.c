// Deletes a key from a search tree: a node with two children gets the key of its in-order successor,
// which is freed in its place. The tree stays one, stays ordered, and keeps all other keys.

#include <stdlib.h>

struct node { int key; struct node *left, *right; };

/*@ predicate ordered(struct node *t) =
      (\forall struct node *u, *v; reach({left, right}, t, u) && reach({left, right}, u->left, v)
         ==> v->key < u->key) &&
      (\forall struct node *u, *v; reach({left, right}, t, u) && reach({left, right}, u->right, v)
         ==> u->key < v->key); */

/*@ requires tree(left, right, root) && ordered(root);
    ensures  tree(left, right, \result);
    ensures  \forall struct node *v; reach({left, right}, \result, v) ==> \old(reach({left, right}, root, v));
    ensures  \forall struct node *v; reach({left, right}, \result, v) ==> v->key != key;
    ensures  \forall struct node *v; \old(reach({left, right}, root, v)) && \old(v->key) != key ==>
               \exists struct node *w; reach({left, right}, \result, w) && w->key == \old(v->key);
    ensures  ordered(\result); */
struct node *delete_key(struct node *root, int key)
{
    struct node *parent = NULL, *cur = root, *child;

    while (cur != NULL && cur->key != key) {
        parent = cur;
        cur = key < cur->key ? cur->left : cur->right;
    }
    if (cur == NULL)
        return root;
    if (cur->left != NULL && cur->right != NULL) {
        struct node *above = cur, *next = cur->right;
        while (next->left != NULL) {
            above = next;
            next = next->left;
        }
        cur->key = next->key;
        parent = above;
        cur = next;
    }
    child = cur->left != NULL ? cur->left : cur->right;
    if (parent == NULL)
        root = child;
    else if (parent->left == cur)
        parent->left = child;
    else
        parent->right = child;
    free(cur);
    return root;
}
