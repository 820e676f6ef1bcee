// Moves the node after p to the front of the list (self-organising search).
// expect: move_to_front safe

#include <stddef.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires ls(next, h, NULL) && p != NULL && reach(next, h, p) && p->next != NULL;
    assigns  p->next, p->next->next;
    ensures  ls(next, \result, NULL);
    ensures  \result == \old(p->next);
    ensures  \forall struct node *v; reach(next, \result, v) <==> \old(reach(next, h, v)); */
struct node *move_to_front(struct node *h, struct node *p)
{
    struct node *q = p->next;
    p->next = q->next;
    q->next = h;
    return q;
}
