// Deep copy of a list; the original is not touched.
// expect: copy safe

#include <stdlib.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires ls(next, h, NULL);
    assigns  \nothing;
    ensures  ls(next, \result, NULL);
    ensures  h == NULL <==> \result == NULL;
    ensures  h != NULL ==> \result->data == h->data;
    ensures  \forall struct node *v; v != NULL && reach(next, \result, v) ==> !\old(alloc(v));
    ensures  \forall struct node *v; v != NULL && reach(next, h, v) ==> \exists struct node *w; w != NULL && reach(next, \result, w) && w->data == v->data; */
struct node *copy(struct node *h)
{
    struct node *head = NULL, *tail = NULL;

    while (h) {
        struct node *n = malloc(sizeof *n);
        n->data = h->data;
        n->next = NULL;
        if (tail)
            tail->next = n;
        else
            head = n;
        tail = n;
        h = h->next;
    }
    return head;
}
