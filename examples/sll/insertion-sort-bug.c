// Compares with one node only (if instead of while): wrong for three or more nodes.
// expect: sort violated postcondition

#include <stddef.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires ls(next, h, NULL);
    assigns  { v->next | struct node *v; v != NULL && reach(next, h, v) };
    ensures  ls(next, \result, NULL);
    ensures  sorted(next, data, \result, NULL); // BUG
    ensures  content(next, \result) == \old(content(next, h)); */
struct node *sort(struct node *h)
{
    struct node *done = NULL;

    while (h) {
        struct node *n = h;
        struct node **link = &done;
        h = h->next;
        if (*link && (*link)->data < n->data)
            link = &(*link)->next;
        n->next = *link;
        *link = n;
    }
    return done;
}
