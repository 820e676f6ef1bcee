// Selection sort that compares neighbours instead of the largest.

#include <stddef.h>

struct node {
    int key;
    struct node *next;
};

/*@ requires reach(next, in, NULL);
    ensures  reach(next, \result, NULL);
    ensures  sorted(next, key, \result, NULL);
    ensures  \forall struct node *v; v != NULL ==> (reach(next, \result, v) <==> \old(reach(next, in, v))); */
struct node *selection_sort(struct node *in)
{
    struct node *out = NULL;

    while (in != NULL) {
        struct node *max = in, *before = NULL, *p = in;
        while (p->next != NULL) {
            if (p->next->key > p->key) {
                before = p;
                max = p->next;
            }
            p = p->next;
        }
        if (before != NULL)
            before->next = max->next;
        else
            in = max->next;
        max->next = out;
        out = max;
    }
    return out; // BUG
}
