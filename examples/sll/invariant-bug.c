// The invariant claims that p never leaves the head.
// expect: before violated loop-invariant

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
    //@ loop invariant p == h && reach1(next, p, x); // BUG
    while (p->next != x)
        p = p->next;
    //@ assert p != NULL && p->next == x;
    return p;
}
