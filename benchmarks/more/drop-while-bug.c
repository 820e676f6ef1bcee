// Frees the nodes at the front of a list, and steps on from a freed one.

#include <stdlib.h>

struct ev {
    struct ev *next;
};

//@ predicate Old(struct ev *e);

/*@ assigns \nothing;
    ensures \result != 0 <==> Old(e); */
int old(struct ev *e);

/*@ requires reach(next, q, NULL);
    ensures  reach(next, \result, NULL);
    ensures  \result != NULL ==> !Old(\result) && \old(reach(next, q, \result));
    ensures  \forall struct ev *v; v != NULL && \old(reach(next, q, v)) ==>
                 (alloc(v) <==> reach(next, \result, v));
    ensures  \forall struct ev *v; v != NULL && \old(reach(next, q, v)) && !alloc(v) ==> Old(v);
    ensures  \forall struct ev *u, *v; v != NULL && reach(next, \result, u) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v))); */
struct ev *drop_while(struct ev *q)
{
    struct ev *e;

    for (e = q; e && old(e); e = e->next) { // BUG
        q = e->next;
        free(e);
    }
    return q;
}
