// Stops one node early: the old last node keeps its links and is not the new head.
// test: --objects 3 --int-values 0
// expect: dll_reverse violated postcondition

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
    ensures  content(next, \result) == \old(content(next, h)); // BUG
*/
struct dnode *dll_reverse(struct dnode *h)
{
    struct dnode *last = NULL;

    while (h != NULL && h->next != NULL) {
        struct dnode *t = h->next;
        h->next = h->prev;
        h->prev = t;
        last = h;
        h = t;
    }
    return last;
}
