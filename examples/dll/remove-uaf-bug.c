// The node is freed before its neighbours are relinked.
// test: --objects 3 --int-values 0
// expect: remove_node violated use-after-free

#include <stdlib.h>

struct dnode {
    struct dnode *next, *prev;
    int data;
};

/*@ predicate dll(struct dnode *h) =
      ls(next, h, NULL) && (h != NULL ==> h->prev == NULL) &&
      \forall struct dnode *v; v != NULL && reach(next, h, v) && v->next != NULL ==> v->next->prev == v; */

/*@ requires dll(h) && x != NULL && reach(next, h, x);
    ensures  dll(\result);
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
