// The trailing pointer never moves, so every back link is null.
// test: --objects 3
// expect: fix_prev violated postcondition

#include <stddef.h>

struct d { struct d *next, *prev; };

/*@ requires ls(next, h, NULL);
    requires \forall struct d *v; v != NULL && reach(next, h, v) ==> v->prev == NULL;
    assigns  { v->prev | struct d *v; v != NULL && reach(next, h, v) };
    ensures  rev(next, prev, h, NULL); // BUG
    ensures  ls(next, h, NULL) && (h != NULL ==> h->prev == NULL); */
void fix_prev(struct d *h)
{
    struct d *p = NULL;
    for (; h != NULL; h = h->next)
        h->prev = p;
}
