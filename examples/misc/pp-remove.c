// Removal through a pointer to a pointer: no special case for the head.
// test: --int-values 0,1
// expect: remove_all safe
// expect[pdr-forall]: remove_all verified

#include <stdlib.h>

struct n { struct n *next; int v; };

/*@ requires \valid(pp) && ls(next, *pp, NULL);
    requires \forall struct n *x; x != NULL && reach(next, *pp, x) ==> \separated(pp, x);
    ensures  ls(next, *pp, NULL);
    ensures  \forall struct n *x; x != NULL && reach(next, *pp, x) ==> x->v != v;
    ensures  \forall struct n *x; x != NULL && \old(reach(next, *pp, x)) ==> (alloc(x) <==> \old(x->v) != v); */
void remove_all(struct n **pp, int v)
{
    while (*pp) {
        struct n *x = *pp;
        if (x->v == v) {
            *pp = x->next;
            free(x);
        } else {
            pp = &x->next;
        }
    }
}
