// Frees a list. Acyclicity matters: without it a node would be freed twice.
// expect: dispose safe
// expect[auto]: dispose verified
// expect[pdr-forall]: dispose verified
// expect[pdr-predicates]: dispose verified

#include <stdlib.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires ls(next, h, NULL);
    ensures  \forall struct node *v; v != NULL && \old(reach(next, h, v)) ==> !alloc(v); */
void dispose(struct node *h)
{
    while (h) {
        struct node *t = h->next;
        free(h);
        h = t;
    }
}
