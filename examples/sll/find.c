// Linear search: the first node with the key, or null.
// expect: find safe
// expect[pdr-forall]: find verified

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
    while (h && h->data != k)
        h = h->next;
    return h;
}
