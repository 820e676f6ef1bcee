// Finds the last node of a list.

#include <stddef.h>

struct node {
    struct node *next;
};

/*@ requires reach(next, h, NULL);
    ensures  \result == NULL <==> h == NULL;
    ensures  reach(next, h, \result);
    ensures  \result != NULL ==> \result->next == NULL; */
struct node *last(struct node *h)
{
    struct node *p = h, *q = NULL;

    while (p != NULL) {
        q = p;
        p = p->next;
    }
    return q;
}
