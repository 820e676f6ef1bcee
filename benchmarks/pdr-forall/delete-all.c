// Frees every node of a list.

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
