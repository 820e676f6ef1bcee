// The frame condition allows the first node only.
// expect: clear violated assigns

#include <stddef.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires h != NULL && ls(next, h, NULL);
    assigns  h->data; // BUG
    ensures  \forall struct node *v; v != NULL && reach(next, h, v) ==> v->data == 0; */
void clear(struct node *h)
{
    for (; h != NULL; h = h->next)
        h->data = 0;
}
