// Searches for the predecessor of a node, with a loop invariant.
// expect: before safe

#include <stddef.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires ls(next, h, NULL) && x != NULL && x != h && reach(next, h, x);
    assigns  \nothing;
    ensures  \result != NULL && \result->next == x && reach(next, h, \result); */
struct node *before(struct node *h, struct node *x)
{
    struct node *p = h;
    //@ loop invariant reach(next, h, p) && reach1(next, p, x);
    while (p->next != x)
        p = p->next;
    //@ assert p != NULL && p->next == x;
    return p;
}
