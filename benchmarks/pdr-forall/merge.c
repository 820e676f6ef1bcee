// Merges two lists in any way that keeps the order of each.

#include <stddef.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
};

/*@ requires reach(next, a, NULL) && reach(next, b, NULL);
    requires \forall struct node *v; v != NULL && reach(next, a, v) ==> !reach(next, b, v);
    ensures  reach(next, \result, NULL);
    ensures  \forall struct node *v; v != NULL ==>
                 (reach(next, \result, v) <==> \old(reach(next, a, v)) || \old(reach(next, b, v)));
    ensures  \forall struct node *u, *v; v != NULL && \old(reach(next, a, u)) && \old(reach(next, a, v)) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v)));
    ensures  \forall struct node *u, *v; v != NULL && \old(reach(next, b, u)) && \old(reach(next, b, v)) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v))); */
struct node *merge(struct node *a, struct node *b)
{
    struct node *h = NULL, *t = NULL, *n;

    while (a != NULL || b != NULL) {
        if (b == NULL || (a != NULL && __VERIFIER_nondet_bool())) {
            n = a;
            a = a->next;
        } else {
            n = b;
            b = b->next;
        }
        if (t == NULL)
            h = n;
        else
            t->next = n;
        t = n;
    }
    return h;
}
