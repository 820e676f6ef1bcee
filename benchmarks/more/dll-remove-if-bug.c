// Removes nodes of a doubly linked list, but leaves back pointers to them.

#include <stdlib.h>

typedef struct elem elem;
struct elem {
    elem *fwd, *bwd;
};

//@ predicate Good(elem *e);

/*@ assigns \nothing;
    ensures \result != 0 <==> Good(e); */
int good(elem *e);

/*@ predicate dll(elem *h) = reach(fwd, h, NULL) &&
      (\forall elem *v; v != NULL && reach(fwd, h, v) ==> reach(bwd, v, NULL)) &&
      \forall elem *u, *v; u != NULL && v != NULL && reach(fwd, h, u) ==>
          (reach(bwd, u, v) <==> reach(fwd, h, v) && reach(fwd, v, u)); */

/*@ requires dll(h);
    ensures  dll(\result);
    ensures  \forall elem *e; e != NULL ==> (reach(fwd, \result, e) <==> \old(reach(fwd, h, e)) && Good(e));
    ensures  \forall elem *e; e != NULL && \old(reach(fwd, h, e)) ==> (alloc(e) <==> Good(e)); */
elem *remove_if(elem *h)
{
    elem *e = h;

    while (e) {
        elem *n = e->fwd;
        if (!good(e)) {
            if (e->bwd)
                e->bwd->fwd = n; // BUG
            else
                h = n;
            free(e);
        }
        e = n;
    }
    return h;
}
