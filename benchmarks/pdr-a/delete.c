// Unlinks a node from a list. It is gone, and any other node `y` is still there.

#include <stddef.h>

struct node {
    struct node *next;
};

/*@ requires reach(next, h, NULL);
    requires x != NULL && reach(next, h, x);
    requires y != x && reach(next, h, y);
    ensures  reach(next, \result, NULL);
    ensures  !reach(next, \result, x);
    ensures  x->next == NULL;
    ensures  reach(next, \result, y); */
struct node *delete(struct node *h, struct node *x, struct node *y)
{
    struct node *p = h, *q = NULL;

    (void) y;
    while (p != x && p != NULL) {
        q = p;
        p = p->next;
    }
    if (q == NULL)
        h = x->next;
    else
        q->next = x->next;
    x->next = NULL;
    return h;
}
