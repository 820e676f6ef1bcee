// A number is put into a sorted list; it goes one too far.
// expect: insert violated postcondition

#include <stddef.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

/*@ requires reach(next, h, NULL) && sorted(next, data, h, NULL);
    ensures  reach(next, \result, NULL) && sorted(next, data, \result, NULL); */ // BUG
struct node *insert(struct node *h, int k)
{
    struct node *n = malloc(sizeof(struct node));
    struct node *p;

    n->data = k;
    if (h == NULL || h->data >= k) {
        n->next = h;
        return n;
    }
    p = h;
    while (p->next != NULL && p->next->data <= k + 1)
        p = p->next;
    n->next = p->next;
    p->next = n;
    return h;
}
