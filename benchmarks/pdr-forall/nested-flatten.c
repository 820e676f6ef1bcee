// Flattens a list of lists: the columns that hang over `down` from the nodes of the list over `right`
// become one column.

#include <stddef.h>

struct node {
    struct node *right, *down;
};

// Any set that contains all elements: none outside it may appear.
//@ predicate Given(struct node *v);

/*@ requires reach(right, h, NULL);
    requires \forall struct node *o; o != NULL && reach(right, h, o) ==> reach(down, o, NULL);
    requires \forall struct node *o, *u; u != NULL && reach(right, h, o) && reach(down, o, u) ==>
                 reach(right, u, NULL);
    requires \forall struct node *o, *p, *v; o != p && v != NULL && reach(right, h, o) &&
                 reach(right, h, p) ==>
                 !(reach(down, o, v) && reach(down, p, v));
    requires \forall struct node *o, *u, *v; v != NULL && reach(right, h, o) && reach(down, o, u) &&
                 o != u && reach(right, u, v) ==>
                 v == u;
    requires \forall struct node *o, *v; v != NULL && reach(right, h, o) && reach(down, o, v) ==> Given(v);
    ensures  reach(down, h, NULL);
    ensures  \forall struct node *v; v != NULL && reach(down, h, v) ==> Given(v);
    ensures  \forall struct node *o, *v; v != NULL && \old(reach(right, h, o)) && \old(reach(down, o, v)) ==>
                 reach(down, h, v);
    ensures  \forall struct node *o, *u, *v; \old(reach(right, h, o)) && \old(reach(down, o, u)) &&
                 \old(reach(down, u, v)) &&
                 v != NULL ==> reach(down, u, v);
    ensures  \forall struct node *o, *p, *u, *v; u != NULL && v != NULL && p != NULL &&
                 \old(reach(right, h, o)) && \old(reach(right, o, p)) && o != p &&
                 \old(reach(down, o, u)) && \old(reach(down, p, v)) ==> reach(down, u, v);
    ensures  \forall struct node *u, *v; v != NULL && reach(down, h, u) && reach(right, u, v) ==> v == u; */
void flatten(struct node *h)
{
    struct node *o = h;

    while (o != NULL) {
        struct node *n = o->right, *t = o;
        while (t->down != NULL)
            t = t->down;
        t->down = n;
        o->right = NULL;
        o = n;
    }
}
