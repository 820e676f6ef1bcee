// The cells with a number are taken out of a doubly linked list.
// expect: drop safe
// expect[proveit]: drop verified

#include <stddef.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
    struct node *prev;
};

//@ predicate list(struct node *h) = dll(next, prev, h, NULL) && (h != NULL ==> h->prev == NULL);

/*@ requires list(h);
    ensures  \forall struct node *v; v != NULL && reach(next, \result, v) ==> v->data != 0;
    ensures  list(\result); */
struct node *drop(struct node *h)
{
    struct node *p = h;

    while (p != NULL) {
        struct node *next = p->next;
        if (p->data == 0) {
            if (p->prev != NULL)
                p->prev->next = next;
            else
                h = next;
            if (next != NULL)
                next->prev = p->prev;
            free(p);
        }
        p = next;
    }
    return h;
}
