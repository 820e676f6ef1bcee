// Frees a list; every node of it is freed, and nothing else.
// test: --engine bohne
// expect: delete_all verified

#include <stdlib.h>

struct node {
    struct node *next;
};

/*@ requires reach(next, h, NULL);
    ensures  \forall struct node *v; v != NULL ==>
        (alloc(v) <==> \old(alloc(v)) && !\old(reach(next, h, v))); */
void delete_all(struct node *h)
{
    while (h != NULL) {
        struct node *t = h->next;
        free(h);
        h = t;
    }
}
