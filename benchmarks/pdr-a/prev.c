// Finds the node before a given node of a list, if there is one.

#include <stddef.h>

struct node {
    struct node *next;
};

/*@ requires reach(next, h, NULL);
    requires x != NULL && reach(next, h, x);
    ensures  \result == NULL <==> x == h;
    ensures  reach(next, h, \result);
    ensures  \result != NULL ==> \result->next == x; */
struct node *prev(struct node *h, struct node *x)
{
    struct node *p = h, *q = NULL;

    while (p != x && p != NULL) {
        q = p;
        p = p->next;
    }
    return q;
}
