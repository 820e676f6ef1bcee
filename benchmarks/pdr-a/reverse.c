// Reverses a list: if `x` is before `y`, it is after `y` afterwards; a node `z` outside the list stays
// outside.

#include <stddef.h>

struct node {
    struct node *next;
};

/*@ requires reach(next, h, NULL) && reach(next, z, NULL);
    requires reach(next, h, x) && reach(next, x, y) && y != NULL;
    requires !reach(next, h, z);
    ensures  reach(next, \result, NULL);
    ensures  reach(next, \result, y) && reach(next, y, x);
    ensures  !reach(next, \result, z); */
struct node *reverse(struct node *h, struct node *x, struct node *y, struct node *z)
{
    struct node *r = NULL;

    (void) x;
    (void) y;
    (void) z;
    while (h != NULL) {
        struct node *t = h->next;
        h->next = r;
        r = h;
        h = t;
    }
    return r;
}
