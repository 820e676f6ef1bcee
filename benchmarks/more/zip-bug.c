// Gives every node of a list a partner, but the same to all.

#include <stddef.h>

struct half {
    struct half *next, *mate;
};

/*@ requires reach(next, a, NULL) && reach(next, b, NULL);
    requires \forall struct half *v; v != NULL && reach(next, a, v) ==> !reach(next, b, v);
    requires \forall struct half *u; u != NULL && (reach(next, a, u) || reach(next, b, u)) ==>
                 reach(mate, u, NULL);
    requires \forall struct half *u, *v; u != NULL && (reach(next, a, u) || reach(next, b, u)) &&
                 reach(mate, u, v) ==>
                 v == u || v == NULL;
    ensures  \forall struct half *u, *v; \old(reach(next, u, v)) <==> reach(next, u, v);
    ensures  a != NULL && b != NULL ==> a->mate == b;
    ensures  \forall struct half *u, *v; v != NULL && v != u && reach(next, a, u) && reach(mate, u, v) ==>
                 reach(next, b, v);
    ensures  \forall struct half *u, *v; v != NULL && reach(next, b, u) && reach(mate, u, v) ==> v == u;
    ensures  \forall struct half *t, *u, *v, *w; u != NULL && w != NULL && reach(next, a, t) &&
                 reach(next, a, v) &&
                 t != u && v != w && reach(mate, t, u) && reach(mate, v, w) ==>
                     (reach(next, t, v) <==> reach(next, u, w)); */
void zip(struct half *a, struct half *b)
{
    while (a != NULL && b != NULL) {
        a->mate = b;
        a = a->next;
    }
} // BUG
