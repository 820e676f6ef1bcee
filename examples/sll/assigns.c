// A procedure that only changes data, and says so.
// expect: clear safe

#include <stddef.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires ls(next, h, NULL);
    assigns  { v->data | struct node *v; v != NULL && reach(next, h, v) };
    ensures  \forall struct node *v; v != NULL && reach(next, h, v) ==> v->data == 0; */
void clear(struct node *h)
{
    for (; h != NULL; h = h->next)
        h->data = 0;
}
