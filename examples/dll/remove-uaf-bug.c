// The node is freed before its neighbours are relinked.
// test: --objects 3 --int-values 0
// expect: remove_node violated use-after-free

#include <stdlib.h>

struct dnode {
    struct dnode *next, *prev;
    int data;
};

/*@ predicate list(struct dnode *h) =
      dll(next, prev, h, NULL) &&
      (h != NULL ==> h->prev == NULL); */

/*@ requires list(h) && x != NULL && reach(next, h, x);
    ensures  list(\result);
    ensures  content(next, \result) == \diff(\old(content(next, h)), {x});
    ensures  !alloc(x); */
struct dnode *remove_node(struct dnode *h, struct dnode *x)
{
    free(x);
    if (x->prev != NULL) // BUG
        x->prev->next = x->next;
    else
        h = x->next;
    if (x->next != NULL)
        x->next->prev = x->prev;
    return h;
}
