// Hangs the second element itself below the first root, not its representative.
// test: --int-values 0,1
// expect: unite violated leak

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
    ensures  reach(parent, a, \result); */
struct elem *unite(struct elem *a, struct elem *b)
{
    a = find(a);
    if (a == b)
        return a;
    if (a->rank < b->rank) {
        a->parent = b;
        return b;
    }
    b->parent = a;
    if (a->rank == b->rank)
        a->rank++;
    return a; // BUG
}
