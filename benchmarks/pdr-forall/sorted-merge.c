// Merges two sorted lists into one; among equal keys the first list comes first.

#include <stddef.h>

struct node {
    struct node *next;
    int key;
};

/*@ requires reach(next, a, NULL) && reach(next, b, NULL);
    requires \forall struct node *v; v != NULL && reach(next, a, v) ==> !reach(next, b, v);
    requires sorted(next, key, a, NULL);
    requires sorted(next, key, b, NULL);
    ensures  reach(next, \result, NULL);
    ensures  sorted(next, key, \result, NULL);
    ensures  \forall struct node *v; v != NULL ==>
                 (reach(next, \result, v) <==> \old(reach(next, a, v)) || \old(reach(next, b, v)));
    ensures  \forall struct node *u, *v; v != NULL && \old(reach(next, a, u)) && \old(reach(next, a, v)) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v)));
    ensures  \forall struct node *u, *v; v != NULL && \old(reach(next, b, u)) && \old(reach(next, b, v)) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v)));
    ensures  \forall struct node *v; v != NULL ==> v->key == \old(v->key); */
struct node *sorted_merge(struct node *a, struct node *b)
{
    struct node *h = NULL, *t = NULL, *n;

    while (a != NULL && b != NULL) {
        if (a->key <= b->key) {
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
    if (a == NULL)
        a = b;
    if (t == NULL)
        return a;
    t->next = a;
    return h;
}
