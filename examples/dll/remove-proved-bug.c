// Removal from a doubly linked list that forgets the way back.
// test: --engine pdr-forall
// expect: take_out violated postcondition

#include <stdlib.h>

struct item {
    struct item *succ, *pred;
};

/*@ requires dll(succ, pred, h, NULL) && x != NULL && reach(succ, h, x);
    requires h->pred == NULL && x != h;
    ensures  dll(succ, pred, h, NULL); // BUG
*/
void take_out(struct item *h, struct item *x)
{
    x->pred->succ = x->succ;
    free(x);
}
