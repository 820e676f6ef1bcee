// A cell is put behind a doubly linked list.
// expect: append safe
// expect[proveit]: append verified

#include <stddef.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
    struct node *prev;
};

//@ predicate list(struct node *h) = dll(next, prev, h, NULL) && (h != NULL ==> h->prev == NULL);

/*@ requires list(h);
    ensures  list(\result) && \result != NULL; */
struct node *append(struct node *h, int k)
{
    struct node *n = malloc(sizeof(struct node));
    struct node *p = h;

    n->data = k;
    n->next = NULL;
    n->prev = NULL;
    if (h == NULL)
        return n;
    while (p->next != NULL)
        p = p->next;
    p->next = n;
    n->prev = p;
    return h;
}
