// Push, pop and removal of a doubly linked list, proved for lists of any length.
// test: --engine pdr-forall
// expect: push verified
// expect: pop verified
// expect: take_out verified
// expect: forward verified

#include <stdlib.h>

struct item {
    struct item *succ, *pred;
};

/*@ predicate list(struct item *h) = dll(succ, pred, h, NULL) && (h != NULL ==> h->pred == NULL); */

/*@ requires list(h) && \valid(e) && !reach(succ, h, e);
    requires reach(succ, e, NULL) && reach(pred, e, NULL);
    requires \forall struct item *v; v != NULL && reach(succ, h, v) ==> !reach(pred, v, e) && !reach(pred, e, v);
    requires e->succ == NULL && e->pred == NULL;
    ensures  list(\result) && \result == e; */
struct item *push(struct item *h, struct item *e)
{
    e->succ = h;
    e->pred = NULL;
    if (h != NULL)
        h->pred = e;
    return e;
}

/*@ requires list(h);
    ensures  list(\result); */
struct item *pop(struct item *h)
{
    struct item *rest;

    if (h == NULL)
        return NULL;
    rest = h->succ;
    if (rest != NULL)
        rest->pred = NULL;
    free(h);
    return rest;
}

/*@ requires list(h) && x != NULL && reach(succ, h, x);
    ensures  list(\result) && !reach(succ, \result, x); */
struct item *take_out(struct item *h, struct item *x)
{
    if (x->pred != NULL)
        x->pred->succ = x->succ;
    else
        h = x->succ;
    if (x->succ != NULL)
        x->succ->pred = x->pred;
    free(x);
    return h;
}

/*@ requires list(h);
    ensures  \result != NULL ==> \result->succ == NULL && reach(succ, h, \result); */
struct item *forward(struct item *h)
{
    struct item *last = NULL;

    while (h != NULL) {
        //@ assert last == h->pred;
        last = h;
        h = h->succ;
    }
    return last;
}
