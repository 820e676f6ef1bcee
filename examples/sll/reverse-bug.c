// Reversal that forgets to save the successor before it overwrites the link:
// everything after the first node is lost.
// expect: reverse violated leak

#include <stddef.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires ls(next, h, NULL);
    ensures  ls(next, \result, NULL); */
struct node *reverse(struct node *h)
{
    struct node *r = NULL;
    while (h != NULL) {
        struct node *t = h;
        h->next = r;
        h = t->next;
        r = t;
    }
    return r; // BUG
}
