// Forgets the back link of the old successor.
// test: --objects 3 --int-values 0
// expect: insert_after violated postcondition

#include <stddef.h>

struct dnode {
    struct dnode *next, *prev;
    int data;
};

/*@ predicate list(struct dnode *h) =
      dll(next, prev, h, NULL) &&
      (h != NULL ==> h->prev == NULL); */

/*@ requires list(h) && p != NULL && reach(next, h, p);
    requires n != NULL && n->next == NULL && n->prev == NULL && !reach(next, h, n);
    ensures  list(h); // BUG
    ensures  p->next == n && n->prev == p && n->next == \old(p->next);
    ensures  \forall struct dnode *v; reach(next, h, v) <==> \old(reach(next, h, v)) || v == n; */
void insert_after(struct dnode *h, struct dnode *p, struct dnode *n)
{
    (void) h;
    n->next = p->next;
    n->prev = p;
    p->next = n;
}
