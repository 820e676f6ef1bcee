// Copies a list and sets a pointer from every node to its copy.
// The contract says that the copies are new, distinct and in the same order, and that the first node has
// one. It does not say that every node has: see ladder-total.c.

#include <stdlib.h>

struct node {
    struct node *next, *copy;
};

/*@ requires reach(next, h, NULL);
    requires \forall struct node *u, *v; u != NULL && reach(next, h, u) && reach(copy, u, v) ==>
                 v == u || v == NULL;
    requires \forall struct node *u; u != NULL && reach(next, h, u) ==> reach(copy, u, NULL);
    ensures  reach(next, \result, NULL);
    ensures  h != NULL ==> h->copy == \result;
    ensures  \forall struct node *u, *v; v != NULL && reach(next, \result, u) && reach(copy, u, v) ==> v == u;
    ensures  \forall struct node *u, *v; v != NULL && \old(reach(next, h, u)) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v)));
    ensures  \forall struct node *v; v != NULL && reach(next, \result, v) ==> alloc(v) && !\old(alloc(v));
    ensures  \forall struct node *u, *v; v != NULL && \old(reach(next, h, u)) && reach(copy, u, v) &&
                 u != v ==>
                 reach(next, \result, v);
    ensures  \forall struct node *u, *v, *w; v != NULL && \old(reach(next, h, u)) && reach(copy, u, v) &&
                 u != v &&
                 w != NULL && reach(copy, u, w) && u != w ==> v == w;
    ensures  \forall struct node *t, *u, *v, *w; u != NULL && w != NULL && \old(reach(next, h, t)) &&
                 \old(reach(next, h, v)) &&
                 reach(copy, t, u) && t != u && reach(copy, v, w) && v != w ==>
                     (reach(next, t, v) <==> reach(next, u, w)); */
struct node *ladder(struct node *h)
{
    struct node *i = h, *t = NULL, *last = NULL;

    while (i != NULL) {
        struct node *e = malloc(sizeof *e);
        e->next = NULL;
        e->copy = NULL;
        i->copy = e;
        if (last == NULL)
            t = e;
        else
            last->next = e;
        last = e;
        i = i->next;
    }
    return t;
}
