// Moves on into the node that was just freed.
// test: --int-values 0,1
// expect: remove_all violated use-after-free

#include <stdlib.h>

struct n { struct n *next; int v; };

/*@ requires \valid(pp) && ls(next, *pp, NULL);
    requires \forall struct n *x; x != NULL && reach(next, *pp, x) ==> \separated(pp, x);
    ensures  ls(next, *pp, NULL);
    ensures  \forall struct n *x; x != NULL && reach(next, *pp, x) ==> x->v != v;
    ensures  \forall struct n *x; x != NULL && \old(reach(next, *pp, x)) ==> (alloc(x) <==> \old(x->v) != v); */
void remove_all(struct n **pp, int v)
{
    while (*pp) { // BUG
        struct n *x = *pp;
        if (x->v == v) {
            *pp = x->next;
            free(x);
        }
        pp = &x->next;
    }
}
