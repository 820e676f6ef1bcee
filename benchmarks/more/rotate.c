// Rotates a list: the first node becomes the last.

#include <stddef.h>

struct cell {
    struct cell *cdr;
};

/*@ requires reach(cdr, l, NULL);
    ensures  reach(cdr, \result, NULL);
    ensures  \forall struct cell *v; v != NULL ==> (reach(cdr, \result, v) <==> \old(reach(cdr, l, v)));
    ensures  \forall struct cell *v; v != NULL && \old(reach(cdr, l, v)) ==> reach(cdr, v, l);
    ensures  \forall struct cell *u, *v; u != l && v != l && v != NULL && \old(reach(cdr, l, u)) &&
                 \old(reach(cdr, u, v)) ==>
                 reach(cdr, u, v); */
struct cell *rotate(struct cell *l)
{
    struct cell *second, *end;

    if (l == NULL || l->cdr == NULL)
        return l;
    second = l->cdr;
    for (end = second; end->cdr; end = end->cdr)
        ;
    l->cdr = NULL;
    end->cdr = l;
    return second;
}
