// Skiplist.add of Symbolic Shape Analysis: inserts a node into a list of two levels. The lower level has all nodes,
// the upper one some of them, in the same order.

#include <stddef.h>

struct node {
    int key;
    struct node *next;
    struct node *skip;
};

static struct node *root;

/*@ predicate skips(struct node *h) = reach(next, h, NULL) &&
      (\forall struct node *v; reach(next, h, v) ==> reach(skip, v, NULL)) &&
      \forall struct node *u, *v; reach(next, h, u) && reach(skip, u, v) && u != NULL && v != NULL ==>
          reach(next, u, v); */

/*@ requires root != NULL && skips(root);
    requires e != NULL && !reach(next, root, e) && e->next == NULL && e->skip == NULL;
    requires \forall struct node *v; reach(skip, v, e) ==> v == e;
    ensures  root != NULL && skips(root);
    ensures  content(next, root) == \union(\old(content(next, root)), {e}); */
void add(struct node *e)
{
    struct node *prev = root;
    struct node *curr = root->skip;
    struct node *up;

    while (curr != NULL && curr->key < e->key) {
        prev = curr;
        curr = curr->skip;
    }
    up = prev;
    curr = prev->next;
    while (curr != NULL && curr->key < e->key) {
        prev = curr;
        curr = curr->next;
    }
    e->next = prev->next;
    prev->next = e;
    if (prev == up) {
        e->skip = up->skip;
        up->skip = e;
    }
}
