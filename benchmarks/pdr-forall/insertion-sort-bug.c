// The sort of insertion-sort.c with `j` typed for `i` where the node is linked to its predecessor.

#include <stddef.h>

struct node {
    struct node *next;
    int key;
};

/*@ requires reach(next, h, NULL);
    ensures  reach(next, \result, NULL);
    ensures  sorted(next, key, \result, NULL);
    ensures  \forall struct node *v; v != NULL ==>
                 (reach(next, \result, v) <==> \old(reach(next, h, v))); */
struct node *insertion_sort(struct node *h)
{
    struct node *i = h, *r = NULL;

    while (i != NULL) {
        struct node *t = i->next, *j = r, *p = NULL;
        while (j != NULL && j->key < i->key) {
            p = j;
            j = j->next;
        }
        i->next = j;
        if (p == NULL)
            r = i;
        else
            p->next = j;
        i = t;
    }
    return r; // BUG
}
