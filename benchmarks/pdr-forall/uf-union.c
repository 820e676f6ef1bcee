// Union-find: joins the sets of two elements by linking their representatives.
// The elements are owned by a list over `all`.

#include <stddef.h>

struct elem {
    struct elem *parent;
    struct elem *all;
};

/*@ requires x != NULL && y != NULL && reach(all, owner, NULL);
    requires \forall struct elem *v; v != NULL && alloc(v) ==> reach(all, owner, v) && reach(parent, v, NULL);
    ensures  \result != NULL && \old(reach(parent, y, \result));
    ensures  \forall struct elem *v; v != NULL && reach(parent, \result, v) ==> v == \result;
    ensures  \forall struct elem *u, *w; w != NULL && \old(reach(parent, u, w)) &&
                 (\old(reach(parent, x, w)) || \old(reach(parent, y, w))) ==> reach(parent, u, \result);
    ensures  \forall struct elem *u, *v; \old(reach(parent, u, v)) ==> reach(parent, u, v);
    ensures  \forall struct elem *u, *v; v != NULL && reach(parent, u, v) && v != \result ==>
                 \old(reach(parent, u, v));
    ensures  \forall struct elem *u; reach(parent, u, \result) ==>
                 \exists struct elem *w; w != NULL && \old(reach(parent, u, w)) &&
                     (\old(reach(parent, x, w)) || \old(reach(parent, y, w))); */
struct elem *unite(struct elem *x, struct elem *y, struct elem *owner)
{
    struct elem *r = x, *s = y;

    (void) owner;
    while (r->parent != NULL)
        r = r->parent;
    while (s->parent != NULL)
        s = s->parent;
    if (r != s)
        r->parent = s;
    return s;
}
