// Reverses a doubly linked list by swapping the two links of every node.
// test: --objects 3 --int-values 0
// expect: dll_reverse safe

#include <stddef.h>

struct dnode {
    struct dnode *next, *prev;
    int data;
};

/*@ predicate list(struct dnode *h) =
      dll(next, prev, h, NULL) &&
      (h != NULL ==> h->prev == NULL); */

/*@ requires list(h);
    assigns  { v->next | struct dnode *v; v != NULL && reach(next, h, v) },
             { v->prev | struct dnode *v; v != NULL && reach(next, h, v) };
    ensures  list(\result);
    ensures  content(next, \result) == \old(content(next, h));
    ensures  \forall struct dnode *v; v != NULL && \old(reach(next, h, v)) ==> v->prev == \old(v->next) && v->next == \old(v->prev); */
struct dnode *dll_reverse(struct dnode *h)
{
    struct dnode *last = NULL;

    while (h != NULL) {
        struct dnode *t = h->next;
        h->next = h->prev;
        h->prev = t;
        last = h;
        h = t;
    }
    return last;
}
