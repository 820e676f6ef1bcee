// Union-find: the representative of an element, with path compression.
// The elements are owned by a list over `all`; nobody else would hold those that compression bypasses.

#include <stddef.h>

struct elem {
    struct elem *parent;
    struct elem *all;
};

/*@ requires x != NULL && reach(parent, x, NULL) && reach(all, owner, NULL);
    requires \forall struct elem *v; v != NULL && alloc(v) ==> reach(all, owner, v) && reach(parent, v, NULL);
    ensures  \result != NULL && \old(reach(parent, x, \result));
    ensures  \forall struct elem *v; v != NULL && reach(parent, \result, v) ==> v == \result;
    ensures  \forall struct elem *u, *v; v != NULL && \old(reach(parent, x, u)) && reach(parent, u, v) ==>
                 v == u || v == \result;
    ensures  \forall struct elem *u; \old(reach(parent, u, \result)) ==> reach(parent, u, \result);
    ensures  \forall struct elem *u, *v; reach(parent, u, v) ==> \old(reach(parent, u, v));
    ensures  \forall struct elem *u, *v; !\old(reach(parent, x, u)) && \old(reach(parent, u, v)) &&
                 !\old(reach(parent, x, v)) ==> reach(parent, u, v); */
struct elem *find(struct elem *x, struct elem *owner)
{
    struct elem *r = x;

    (void) owner;
    while (r->parent != NULL)
        r = r->parent;
    while (x != r) {
        struct elem *n = x->parent;
        x->parent = r;
        x = n;
    }
    return r;
}
