// A cell is put before a doubly linked list.
// expect: push safe
// expect[proveit]: push verified

#include <stddef.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
    struct node *prev;
};

//@ predicate list(struct node *h) = dll(next, prev, h, NULL) && (h != NULL ==> h->prev == NULL);

/*@ requires list(h);
    ensures  list(\result) && \result != NULL && \result->data == k; */
struct node *push(struct node *h, int k)
{
    struct node *n = malloc(sizeof(struct node));

    n->data = k;
    n->next = h;
    n->prev = NULL;
    if (h != NULL)
        h->prev = n;
    return n;
}
