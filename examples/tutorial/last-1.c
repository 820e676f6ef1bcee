// A first contract: without one, nothing is known of the list.
// expect: last safe
#include <stddef.h>

struct node {
    struct node *next;
    int data;
};

struct node *last(struct node *h)
{
    while (h->next)
        h = h->next;
    return h;
}
