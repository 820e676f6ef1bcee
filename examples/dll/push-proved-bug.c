// A cell is put before a doubly linked list; the old head does not lead back.
// expect: push violated postcondition

#include <stddef.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
    struct node *prev;
};

//@ predicate list(struct node *h) = dll(next, prev, h, NULL) && (h != NULL ==> h->prev == NULL);

/*@ requires list(h);
    ensures  list(\result) && \result != NULL && \result->data == k; */ // BUG
struct node *push(struct node *h, int k)
{
    struct node *n = malloc(sizeof(struct node));

    n->data = k;
    n->next = h;
    n->prev = NULL;
    if (h != NULL)
        h->prev = n->prev;
    return n;
}
