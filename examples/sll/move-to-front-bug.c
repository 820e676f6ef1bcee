// The two links are written in the wrong order, which closes a cycle.
// expect: move_to_front violated postcondition

#include <stddef.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires ls(next, h, NULL) && p != NULL && reach(next, h, p) && p->next != NULL;
    assigns  p->next, p->next->next;
    ensures  ls(next, \result, NULL); // BUG
    ensures  \result == \old(p->next);
*/
struct node *move_to_front(struct node *h, struct node *p)
{
    struct node *q = p->next;
    q->next = h;
    p->next = q->next;
    return q;
}
