// Frees a ring: it is cut first, so that the walk ends.
// test: --engine sll
// expect: release verified
// expect[canonical]: release verified

#include <stdlib.h>

struct node { struct node *next; int n; };

/*@ requires r == NULL || cyclic(next, r);
    ensures \true; */
void release(struct node *r)
{
    struct node *p;

    if (r == NULL)
        return;
    p = r->next;
    r->next = NULL;
    while (p != NULL) {
        struct node *q = p->next;

        free(p);
        p = q;
    }
}
