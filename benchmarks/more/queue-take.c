// Takes jobs from the front of a queue until one fails a test; what is taken is freed.

#include <stdlib.h>

struct job {
    struct job *next;
};

struct job *first, *last;

//@ predicate Ready(struct job *j);

/*@ assigns \nothing;
    ensures \result != 0 <==> Ready(j); */
int ready(struct job *j);

/*@ predicate queue(struct job *f, struct job *l) = reach(next, f, NULL) && (f == NULL <==> l == NULL) &&
      reach(next, f, l) && \forall struct job *v; v != NULL && reach(next, f, v) ==> reach(next, v, l); */

/*@ requires queue(first, last);
    ensures  queue(first, last);
    ensures  first != NULL ==> !Ready(first) && last == \old(last);
    ensures  \forall struct job *v; v != NULL && \old(reach(next, first, v)) && !reach(next, first, v) ==>
                 Ready(v) && !alloc(v);
    ensures  \forall struct job *v; v != NULL && reach(next, first, v) ==> alloc(v); */
void take_all(void)
{
    struct job *j;

    while ((j = first) != NULL) {
        if (!ready(j))
            break;
        first = j->next;
        if (first == NULL)
            last = NULL;
        free(j);
    }
}
