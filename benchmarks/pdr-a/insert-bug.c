// The insertion of insert.c, whose precondition does not say that there is something to insert.

#include <stddef.h>

struct node {
    struct node *next;
};

/*@ requires h != NULL && reach(next, h, NULL);
    requires x != h && reach(next, h, x);
    requires e != NULL ==> e->next == NULL;
    requires e != NULL ==> !reach(next, h, e);
    requires reach(next, h, y);
    ensures  reach(next, h, NULL);
    ensures  reach(next, h, e);
    ensures  e->next == x;
    ensures  reach(next, h, y); */
void insert(struct node *e, struct node *h, struct node *x, struct node *y)
{
    struct node *p = h, *q = NULL;

    (void) y;
    while (p != x && p != NULL) {
        q = p;
        p = p->next;
    }
    q->next = e;
    e->next = p; // BUG
}
