// Inserts a node into a sorted list, which stays sorted. An arbitrary old node `x` stays.

#include <stddef.h>

struct node {
    struct node *next;
    int key;
};

/*@ requires reach(next, h, NULL);
    requires sorted(next, key, h, NULL);
    requires e != NULL && !reach(next, h, e);
    requires e->next == NULL;
    requires reach(next, h, x);
    ensures  reach(next, \result, NULL);
    ensures  sorted(next, key, \result, NULL);
    ensures  reach(next, \result, e);
    ensures  reach(next, \result, x); */
struct node *sorted_insert(struct node *h, struct node *e, struct node *x)
{
    struct node *p = h, *q = NULL;

    (void) x;
    while (p != NULL && p->key < e->key) {
        q = p;
        p = p->next;
    }
    e->next = p;
    if (q == NULL)
        return e;
    q->next = e;
    return h;
}
