// Bubble sort: neighbours in the wrong order change places, until a pass finds none.

#include <stddef.h>

struct node {
    struct node *next;
    int key;
};

/*@ requires reach(next, h, NULL);
    ensures  reach(next, \result, NULL);
    ensures  sorted(next, key, \result, NULL);
    ensures  \forall struct node *v; v != NULL ==>
                 (reach(next, \result, v) <==> \old(reach(next, h, v)));
    ensures  \forall struct node *v; v != NULL ==> v->key == \old(v->key); */
struct node *bubble_sort(struct node *h)
{
    _Bool swapped = 1;

    while (swapped) {
        struct node *q = NULL, *p = h;
        swapped = 0;
        while (p != NULL && p->next != NULL) {
            struct node *n = p->next;
            if (p->key > n->key) {
                p->next = n->next;
                n->next = p;
                if (q == NULL)
                    h = n;
                else
                    q->next = n;
                q = n;
                swapped = 1;
            } else {
                q = p;
                p = n;
            }
        }
    }
    return h;
}
