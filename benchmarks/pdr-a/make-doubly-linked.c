// Sets the back pointers of a list.

#include <stddef.h>

struct node {
    struct node *next, *prev;
};

/*@ requires reach(next, h, NULL);
    requires \forall struct node *u; u != NULL && reach(next, h, u) ==> reach(prev, u, NULL);
    requires \forall struct node *u, *v; u != NULL && reach(next, h, u) && reach(prev, u, v) ==>
                 v == u || v == NULL;
    ensures  reach(next, h, NULL);
    ensures  rev(next, prev, h, NULL);
    ensures  h != NULL ==> h->prev == NULL; */
void make_doubly_linked(struct node *h)
{
    struct node *p = h, *q = NULL;

    while (p != NULL) {
        p->prev = q;
        q = p;
        p = p->next;
    }
}
