// With the check against cycles switched on: pushing never makes one.
// test: --check acyclic
// expect: push safe

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
    return n;
}
