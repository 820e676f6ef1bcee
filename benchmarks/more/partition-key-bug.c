// Splits a list around a pivot, with one list typed for the other.

#include <stddef.h>

struct node {
    struct node *next;
    int key;
};

struct node *lo, *hi;

/*@ requires reach(next, l, NULL) && lo == NULL && hi == NULL;
    ensures  reach(next, lo, NULL) && reach(next, hi, NULL);
    ensures  \forall struct node *v; v != NULL ==>
                 (\old(reach(next, l, v)) <==> reach(next, lo, v) || reach(next, hi, v));
    ensures  \forall struct node *v; v != NULL && reach(next, lo, v) ==> v->key < pivot;
    ensures  \forall struct node *v; v != NULL && reach(next, hi, v) ==> pivot <= v->key; */
void around(struct node *l, int pivot)
{
    while (l) {
        struct node *n = l;
        l = l->next;
        if (n->key < pivot) {
            n->next = lo;
            hi = n;
        } else {
            n->next = hi;
            hi = n;
        }
    }
} // BUG
