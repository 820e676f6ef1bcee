// Counts one step too many and forgets that the list may be shorter.
// expect: nth violated null-deref

#include <stddef.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires ls(next, h, NULL) && i >= 0;
    assigns  \nothing;
    ensures  reach(next, h, \result);
    ensures  i == 0 ==> \result == h;
    ensures  i == 1 ==> \result == (h != NULL ? h->next : NULL); */
struct node *nth(struct node *h, int i)
{
    while (i > 0) {
        h = h->next; // BUG
        i--;
    }
    return h;
}
