// Insertion sort that should keep nodes with equal keys in their order, and does not.

#include <stddef.h>

struct rec {
    int key;
    struct rec *nx;
};

/*@ requires reach(nx, r, NULL);
    ensures  reach(nx, \result, NULL);
    ensures  sorted(nx, key, \result, NULL);
    ensures  \forall struct rec *v; v != NULL ==> (reach(nx, \result, v) <==> \old(reach(nx, r, v)));
    ensures  \forall struct rec *u, *v; u != NULL && v != NULL && \old(reach(nx, r, u)) &&
                 \old(reach(nx, u, v)) && u->key == v->key ==>
                 reach(nx, u, v); */
struct rec *sort(struct rec *r)
{
    struct rec *sorted = NULL;

    while (r) {
        struct rec *e = r, *p = NULL, *c = sorted;
        r = r->nx;
        for (; c; p = c, c = c->nx)
            if (c->key >= e->key)
                break;
        e->nx = c;
        if (p)
            p->nx = e;
        else
            sorted = e;
    }
    return sorted; // BUG
}
