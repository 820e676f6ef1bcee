// Inserts a node into a sorted list, before the first node with a key that is not smaller.
// expect: insert safe
// expect[pdr-forall]: insert verified

#include <stddef.h>

struct node {
    struct node *next;
    int data;
};

//@ predicate sorted_list(struct node *h) = ls(next, h, NULL) && sorted(next, data, h, NULL);

/*@ requires sorted_list(h);
    requires n != NULL && n->next == NULL && !reach(next, h, n);
    assigns  n->next, { v->next | struct node *v; v != NULL && reach(next, h, v) };
    ensures  sorted_list(\result);
    ensures  content(next, \result) == \union({n}, \old(content(next, h))); */
struct node *insert(struct node *h, struct node *n)
{
    struct node *p;

    if (h == NULL || n->data <= h->data) {
        n->next = h;
        return n;
    }
    p = h;
    while (p->next != NULL && p->next->data < n->data)
        p = p->next;
    n->next = p->next;
    p->next = n;
    return h;
}
