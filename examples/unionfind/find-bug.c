// The search does not expect elements without a parent; compression leaks when nobody owns the elements.
// test: --objects 3
// expect: find violated null-deref
// expect: find_compress violated leak

#include <stddef.h>

struct elem {
    struct elem *parent;
    struct elem *all;
};

//@ predicate root(struct elem *r) = r != NULL && r->parent == r;

/*@ requires x != NULL;
    assigns  \nothing;
    ensures  root(\result) && reach(parent, x, \result); */
struct elem *find(struct elem *x)
{
    while (x->parent != x) // BUG
        x = x->parent;
    return x;
}

/*@ requires \exists struct elem *r; root(r) && reach(parent, x, r);
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
    return r; // BUG
}
