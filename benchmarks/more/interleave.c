// Interleaves two lists: a node of the first, a node of the second, and so on; what is left over comes last.

#include <stddef.h>

struct card {
    struct card *below;
};

/*@ requires reach(below, left, NULL) && reach(below, right, NULL);
    requires \forall struct card *c; c != NULL && reach(below, left, c) ==> !reach(below, right, c);
    ensures  reach(below, \result, NULL);
    ensures  \forall struct card *c; c != NULL ==>
                 (reach(below, \result, c) <==> \old(reach(below, left, c)) || \old(reach(below, right, c)));
    ensures  \forall struct card *c, *d; d != NULL && \old(reach(below, left, c)) &&
                 \old(reach(below, c, d)) ==>
                 reach(below, c, d);
    ensures  \forall struct card *c, *d; d != NULL && \old(reach(below, right, c)) &&
                 \old(reach(below, c, d)) ==>
                 reach(below, c, d); */
struct card *interleave(struct card *left, struct card *right)
{
    struct card *deck = left;

    if (!left)
        return right;
    while (right) {
        struct card *rest = left->below;
        left->below = right;
        left = right;
        right = rest;
    }
    return deck;
}
