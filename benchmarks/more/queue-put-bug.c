// Inserts at the tail of a queue, and forgets the head of an empty one.

#include <stdlib.h>

struct job {
    struct job *next;
};

struct job *first, *last;

/*@ predicate queue(struct job *f, struct job *l) = reach(next, f, NULL) && (f == NULL <==> l == NULL) &&
      reach(next, f, l) && \forall struct job *v; v != NULL && reach(next, f, v) ==> reach(next, v, l); */

/*@ requires queue(first, last);
    ensures  queue(first, last);
    ensures  \result == last && !\old(alloc(\result));
    ensures  \forall struct job *v; v != NULL ==>
                 (reach(next, first, v) <==> \old(reach(next, first, v)) || v == \result);
    ensures  \forall struct job *u, *v; v != NULL && \old(reach(next, first, u)) &&
                 \old(reach(next, first, v)) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v))); */
struct job *put(void)
{
    struct job *j = malloc(sizeof(struct job));

    j->next = NULL;
    if (last)
        last->next = j;
    last = j;
    return j; // BUG
}
