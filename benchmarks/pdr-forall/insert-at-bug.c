// The insertion of insert-at.c, whose precondition does not say that there is something to insert.

#include <stddef.h>

struct node {
    struct node *next;
};

/*@ requires reach(next, h, NULL) && reach(next, h, x);
    requires e != NULL ==> e->next == NULL;
    requires e != NULL ==> !reach(next, h, e);
    ensures  reach(next, \result, NULL);
    ensures  \forall struct node *v; v != NULL ==>
                 (reach(next, \result, v) <==> \old(reach(next, h, v)) || v == e); */
struct node *insert_at(struct node *h, struct node *x, struct node *e)
{
    struct node *p = h, *q = NULL;

    while (p != x && p != NULL) {
        q = p;
        p = p->next;
    }
    e->next = p; // BUG
    if (q == NULL)
        return e;
    q->next = e;
    return h;
}
