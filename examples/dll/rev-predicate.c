// Restores the back links of a list after a walk over the forward links.
// test: --objects 3
// expect: fix_prev safe

#include <stddef.h>

struct d { struct d *next, *prev; };

/*@ requires ls(next, h, NULL);
    requires \forall struct d *v; v != NULL && reach(next, h, v) ==> v->prev == NULL;
    assigns  { v->prev | struct d *v; v != NULL && reach(next, h, v) };
    ensures  rev(next, prev, h, NULL);
    ensures  ls(next, h, NULL) && (h != NULL ==> h->prev == NULL); */
void fix_prev(struct d *h)
{
    struct d *p = NULL;
    for (; h != NULL; p = h, h = h->next)
        h->prev = p;
}
