// The two halves of the loop condition are the wrong way round.
// expect: find violated null-deref

#include <stddef.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires reach(next, h, NULL);
    assigns  \nothing;
    behavior found:
      assumes \exists struct node *v; v != NULL && reach(next, h, v) && v->data == k;
      ensures \result != NULL && \result->data == k && reach(next, h, \result);
      ensures \forall struct node *v; v != NULL && reach(next, h, v) && reach1(next, v, \result) ==> v->data != k;
    behavior absent:
      assumes \forall struct node *v; v != NULL && reach(next, h, v) ==> v->data != k;
      ensures \result == NULL; */
struct node *find(struct node *h, int k)
{
    while (h->data != k && h) // BUG
        h = h->next;
    return h;
}
