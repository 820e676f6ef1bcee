// The last node is linked back to the new one.
// test: --check acyclic
// expect: push violated acyclic

#include <stdlib.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires ls(next, h, NULL);
    ensures  \result != NULL && \result->next == h; */
struct node *push(struct node *h, int data)
{
    struct node *n = malloc(sizeof(struct node));
    n->data = data;
    n->next = h;
    while (h != NULL && h->next != NULL)
        h = h->next;
    if (h != NULL)
        h->next = n;
    return n; // BUG
}
