// Moves the nodes that fail a test out of a list into a sublist, which hangs over `down` from the head.
// The head itself stays; both lists keep the order.

#include <stddef.h>

struct node {
    struct node *next, *down;
};

//@ predicate C(struct node *v);

/*@ assigns \nothing;
    ensures \result != 0 <==> C(v); */
int holds(struct node *v);

/*@ requires h != NULL && reach(next, h, NULL);
    requires \forall struct node *u, *v; u != NULL && reach(next, h, u) && reach(down, u, v) ==>
                 v == u || v == NULL;
    requires \forall struct node *u; u != NULL && reach(next, h, u) ==> reach(down, u, NULL);
    ensures  reach(next, h, NULL) && reach(down, h, NULL);
    ensures  \forall struct node *v; v != NULL && v != h ==>
                 (reach(next, h, v) <==> \old(reach(next, h, v)) && C(v));
    ensures  \forall struct node *v; v != NULL && v != h ==>
                 (reach(down, h, v) <==> \old(reach(next, h, v)) && !C(v));
    ensures  \forall struct node *u, *v; v != NULL && C(u) && C(v) && \old(reach(next, h, u)) && h != u ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v)));
    ensures  \forall struct node *u, *v; u != NULL && v != NULL && !C(u) && !C(v) &&
                 \old(reach(next, h, u)) && h != u ==>
                 (reach(down, u, v) <==> \old(reach(next, u, v)));
    ensures  \forall struct node *u, *v; v != NULL && u != h && !C(u) && \old(reach(next, h, u)) &&
                 reach(next, u, v) ==> v == u;
    ensures  \forall struct node *u, *v; v != NULL && u != h && C(u) && \old(reach(next, h, u)) &&
                 reach(down, u, v) ==> v == u; */
void nested_split(struct node *h)
{
    struct node *i = h->next, *j = h, *k = h;

    while (i != NULL) {
        struct node *t = i->next;
        if (holds(i)) {
            j = i;
        } else {
            j->next = t;
            i->next = NULL;
            k->down = i;
            k = i;
        }
        i = t;
    }
}
