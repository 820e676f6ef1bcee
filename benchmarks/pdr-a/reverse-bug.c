// The reversal of reverse.c with two statements exchanged: every node points to itself.

#include <stddef.h>

struct node {
    struct node *next;
};

/*@ requires reach(next, h, NULL);
    ensures  reach(next, \result, NULL); */
struct node *reverse(struct node *h)
{
    struct node *r = NULL;

    while (h != NULL) { // BUG
        struct node *t = h->next;
        r = h;
        h->next = r;
        h = t;
    }
    return r;
}
