// A first contract: what callers promise, and what they get.
// test: --engine auto
// expect: last verified
#include <stddef.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires h != NULL && reach(next, h, NULL);
    ensures  \result->next == NULL && reach(next, h, \result); */
struct node *last(struct node *h)
{
    while (h->next)
        h = h->next;
    return h;
}
