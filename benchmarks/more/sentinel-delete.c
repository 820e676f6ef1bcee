// A list behind a sentinel: the nodes that fail a test are removed without a special case for the first.

#include <stdlib.h>

struct rec {
    struct rec *link;
};

//@ predicate Valid(struct rec *r);

/*@ assigns \nothing;
    ensures \result != 0 <==> Valid(r); */
int valid(struct rec *r);

/*@ requires head != NULL && reach(link, head, NULL);
    ensures  reach(link, head, NULL);
    ensures  \forall struct rec *r; r != NULL && r != head ==>
                 (reach(link, head, r) <==> \old(reach(link, head, r)) && Valid(r));
    ensures  \forall struct rec *r; r != NULL && r != head && \old(reach(link, head, r)) ==>
                 (alloc(r) <==> Valid(r));
    ensures  \forall struct rec *r, *s; r != head && s != NULL && reach(link, head, r) &&
                 reach(link, head, s) ==>
                 (reach(link, r, s) <==> \old(reach(link, r, s))); */
void erase(struct rec *head)
{
    struct rec *prev = head;

    for (;;) {
        struct rec *cur = prev->link;
        if (cur == NULL)
            break;
        if (valid(cur)) {
            prev = cur;
            continue;
        }
        prev->link = cur->link;
        free(cur);
    }
}
