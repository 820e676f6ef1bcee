// The left subtree of the node that goes is forgotten.

#include <stdlib.h>

struct node { int key; struct node *left, *right; };

/*@ requires tree(left, right, root);
    ensures  tree(left, right, \result);
    ensures  \forall struct node *v; reach({left, right}, \result, v) ==> \old(reach({left, right}, root, v)); */
struct node *delete_key(struct node *root, int key)
{
    struct node **link = &root, *gone;

    while (*link != NULL && (*link)->key != key)
        link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    gone = *link;
    if (gone == NULL)
        return root;
    if (gone->left == NULL)
        *link = gone->right;
    else if (gone->right == NULL)
        *link = gone->left;
    else {
        struct node **min = &gone->right, *next;
        while ((*min)->left != NULL)
            min = &(*min)->left;
        next = *min;
        *min = next->right;
        next->right = gone->right;
        *link = next;
    }
    free(gone);
    return root; // BUG
}
