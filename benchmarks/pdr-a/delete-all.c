// Frees every node of a list: an arbitrary node `x` of it is not allocated afterwards, and a node `y`
// outside it still is.

#include <stdlib.h>

struct node {
    struct node *next;
};

/*@ requires reach(next, h, NULL) && reach(next, y, NULL);
    requires x != NULL && reach(next, h, x);
    requires y != NULL && !reach(next, h, y);
    ensures  !alloc(x);
    ensures  alloc(y); */
void delete_all(struct node *h, struct node *x, struct node *y)
{
    (void) x;
    (void) y;
    while (h != NULL) {
        struct node *t = h->next;
        free(h);
        h = t;
    }
}
