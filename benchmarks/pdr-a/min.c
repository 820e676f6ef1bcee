// Finds a node with the smallest key. The invariant compares one node with all before the iterator; no
// predicate of the paper's families does, but `below` does.

#include <stddef.h>

struct node {
    struct node *next;
    int key;
};

/*@ predicate below(struct node *m, struct node *x, struct node *y) = m != NULL &&
      \forall struct node *v; v != NULL && v != y && reach(next, x, v) && reach(next, v, y) ==>
                 m->key <= v->key; */

/*@ requires h != NULL && reach(next, h, NULL);
    ensures  \result != NULL && reach(next, h, \result);
    ensures  \forall struct node *v; v != NULL && reach(next, h, v) ==> \result->key <= v->key; */
struct node *min(struct node *h)
{
    struct node *i = h->next, *m = h;

    while (i != NULL) {
        if (i->key < m->key)
            m = i;
        i = i->next;
    }
    return m;
}
