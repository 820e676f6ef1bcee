// Splits a list into its marked nodes and the others. Every node ends in one of the two lists.
// test: --engine bohne
// expect: split verified

#include <stddef.h>

struct node {
    struct node *next;
    int marked;
};

static struct node *with, *without;

/*@ requires reach(next, h, NULL) && with == NULL && without == NULL;
    ensures  \forall struct node *v; v != NULL ==>
        (\old(reach(next, h, v)) <==> reach(next, with, v) || reach(next, without, v));
    ensures  \forall struct node *v; v != NULL ==> !(reach(next, with, v) && reach(next, without, v));
    ensures  \forall struct node *v; v != NULL && reach(next, with, v) ==> v->marked != 0;
    ensures  \forall struct node *v; v != NULL && reach(next, without, v) ==> v->marked == 0; */
void split(struct node *h)
{
    while (h != NULL) {
        struct node *t = h->next;
        if (h->marked) {
            h->next = with;
            with = h;
        } else {
            h->next = without;
            without = h;
        }
        h = t;
    }
}
