// Splits a list into its marked nodes and the others, but the first node of either is forgotten.
// test: --engine bohne
// expect: split violated postcondition

#include <stddef.h>

struct node {
    struct node *next;
    int marked;
};

static struct node *with, *without;

/*@ requires reach(next, h, NULL) && with == NULL && without == NULL;
    ensures  \forall struct node *v; v != NULL ==>
        (\old(reach(next, h, v)) <==> reach(next, with, v) || reach(next, without, v)); // BUG
 */
void split(struct node *h)
{
    while (h != NULL) {
        struct node *t = h->next;
        if (h->marked) {
            h->next = with;
            with = h;
        } else {
            h->next = NULL;
            without = h;
        }
        h = t;
    }
}
