// The right subtree is not searched, its root is returned.

#include <stddef.h>

struct node { int key; struct node *left, *right; };

/*@ requires tree(left, right, t);
    assigns  \nothing;
    ensures  \result == NULL || reach({left, right}, t, \result);
    ensures  \result == NULL || \result->key == key; */
struct node *search(struct node *t, int key)
{
    if (t == NULL || t->key == key)
        return t;
    if (key < t->key)
        return search(t->left, key);
    return t->right; // BUG
}
