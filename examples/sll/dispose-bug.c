// The contract is too weak: on a cyclic list a freed node is visited again.
// expect: dispose violated use-after-free

#include <stdlib.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires stable(next, h);
    ensures  \forall struct node *v; v != NULL && \old(reach(next, h, v)) ==> !alloc(v); */
void dispose(struct node *h)
{
    while (h) {
        struct node *t = h->next; // BUG
        free(h);
        h = t;
    }
}
