// Union by rank of two sets.
// test: --int-values 0,1
// expect: unite safe
// expect[pdr-forall]: unite verified

#include <stddef.h>

struct elem {
    struct elem *parent;
    int rank;
};

//@ predicate root(struct elem *r) = r != NULL && r->parent == r;

static struct elem *find(struct elem *x)
{
    while (x->parent != x)
        x = x->parent;
    return x;
}

/*@ requires \exists struct elem *r; root(r) && reach(parent, a, r);
    requires \exists struct elem *r; root(r) && reach(parent, b, r);
    ensures  root(\result) && reach(parent, a, \result) && reach(parent, b, \result);
    ensures  \forall struct elem *v; v != NULL && v != \result && \old(root(v)) && root(v) ==> !reach(parent, a, v) && !reach(parent, b, v); */
struct elem *unite(struct elem *a, struct elem *b)
{
    a = find(a);
    b = find(b);
    if (a == b)
        return a;
    if (a->rank < b->rank) {
        a->parent = b;
        return b;
    }
    b->parent = a;
    if (a->rank == b->rank)
        a->rank++;
    return a;
}
