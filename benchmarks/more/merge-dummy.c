// Merges two sorted lists behind a dummy node on the stack.

#include <stddef.h>

struct node {
    struct node *next;
    int key;
};

/*@ requires reach(next, a, NULL) && sorted(next, key, a, NULL);
    requires reach(next, b, NULL) && sorted(next, key, b, NULL);
    requires \forall struct node *v; v != NULL && reach(next, a, v) ==> !reach(next, b, v);
    ensures  reach(next, \result, NULL) && sorted(next, key, \result, NULL);
    ensures  \forall struct node *v; v != NULL && (\old(reach(next, a, v)) || \old(reach(next, b, v))) ==>
                 reach(next, \result, v);
    ensures  \forall struct node *v; v != NULL && reach(next, \result, v) ==>
                 \old(reach(next, a, v)) || \old(reach(next, b, v)); */
struct node *merge(struct node *a, struct node *b)
{
    struct node dummy, *t = &dummy;

    dummy.next = NULL;
    while (a && b) {
        if (b->key < a->key) {
            t->next = b;
            b = b->next;
        } else {
            t->next = a;
            a = a->next;
        }
        t = t->next;
    }
    t->next = a ? a : b;
    return dummy.next;
}
