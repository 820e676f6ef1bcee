// Frees a ring: first cut it open, then free it like a list.
// expect: free_ring safe
// expect[pdr-forall]: free_ring verified

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
    r->next = NULL;
    while (p != NULL) {
        q = p->next;
        free(p);
        p = q;
    }
}
