// Union-find: the representative, without and with path compression.
// The elements are owned by a list over `all`; compression alone would make them unreachable.
// test: --objects 3
// expect: find safe
// expect: find_compress safe

#include <stddef.h>

struct elem {
    struct elem *parent;
    struct elem *all;
};

//@ predicate root(struct elem *r) = r != NULL && r->parent == r;

/*@ requires \exists struct elem *r; root(r) && reach(parent, x, r);
    assigns  \nothing;
    ensures  root(\result) && reach(parent, x, \result); */
struct elem *find(struct elem *x)
{
    while (x->parent != x)
        x = x->parent;
    return x;
}

/*@ requires \exists struct elem *r; root(r) && reach(parent, x, r);
    requires \forall struct elem *v; v != NULL && reach(parent, x, v) ==> reach(all, owner, v);
    assigns  { v->parent | struct elem *v; v != NULL && reach(parent, x, v) };
    ensures  root(\result) && \old(reach(parent, x, \result));
    ensures  \forall struct elem *v; v != NULL && \old(reach(parent, x, v)) ==> v->parent == \result; */
struct elem *find_compress(struct elem *x, struct elem *owner)
{
    struct elem *r = x, *next;

    (void) owner;
    while (r->parent != r)
        r = r->parent;
    while (x->parent != r) {
        next = x->parent;
        x->parent = r;
        x = next;
    }
    return r;
}
