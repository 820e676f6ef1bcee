// Merges two sorted lists into a sorted one. An arbitrary node `x` of either is in it.

#include <stddef.h>

struct node {
    struct node *next;
    int key;
};

/*@ requires reach(next, a, NULL) && reach(next, b, NULL);
    requires \forall struct node *v; v != NULL && reach(next, a, v) ==> !reach(next, b, v);
    requires sorted(next, key, a, NULL);
    requires sorted(next, key, b, NULL);
    requires reach(next, a, x) || reach(next, b, x);
    ensures  reach(next, \result, NULL);
    ensures  sorted(next, key, \result, NULL);
    ensures  reach(next, \result, x); */
struct node *sorted_merge(struct node *a, struct node *b, struct node *x)
{
    struct node *h = NULL, *t = NULL, *n;

    (void) x;
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
