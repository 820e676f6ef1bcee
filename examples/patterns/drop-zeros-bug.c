// The cells with zero are taken out of a list and freed; two zeros in a row.
// expect: drop_zeros violated postcondition

#include <stddef.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

/*@ requires reach(next, h, NULL);
    ensures  reach(next, \result, NULL);
    ensures  \forall struct node *v; v != NULL && reach(next, \result, v) ==> v->data != 0; */ // BUG
struct node *drop_zeros(struct node *h)
{
    struct node *p;
    struct node *next;

    while (h != NULL && h->data == 0) {
        next = h->next;
        free(h);
        h = next;
    }
    p = h;
    while (p != NULL && p->next != NULL) {
        next = p->next;
        if (next->data == 0) {
            p->next = next->next;
            free(next);
        }
        p = p->next;
    }
    return h;
}
