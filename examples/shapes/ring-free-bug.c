// Frees a ring until it is back at the start, which is gone by then.
// test: --engine sll
// expect: release violated use-after-free

#include <stdlib.h>

struct node { struct node *next; int n; };

/*@ requires r != NULL && cyclic(next, r);
    ensures \true; */
void release(struct node *r)
{
    struct node *p = r;

    do {
        free(p);
        p = p->next; // BUG
    } while (p != r);
}
