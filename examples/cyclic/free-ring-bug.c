// Frees the entry node first and then runs round to it again.
// expect: free_ring violated double-free
// expect[pdr-forall]: free_ring violated double-free

#include <stdlib.h>

struct ring {
    struct ring *next;
    int data;
};

/*@ requires r == NULL || cyclic(next, r);
    ensures  \forall struct ring *v; v != NULL && \old(reach(next, r, v)) ==> !alloc(v); */
void free_ring(struct ring *r)
{
    struct ring *p, *q;

    if (r == NULL)
        return;
    p = r->next;
    while (p != r) {
        q = p->next;
        free(p);
        p = q;
    }
    free(r);
    free(p); // BUG
}
