// Sorted insertion behind a sentinel with a comparison the wrong way round.

#include <stddef.h>

struct rec {
    struct rec *link;
    int key;
};

/*@ predicate ordered(struct rec *head) = \forall struct rec *r, *s; r != head && r != NULL && s != NULL &&
      reach(link, head, r) && reach(link, r, s) ==> r->key <= s->key; */

/*@ requires head != NULL && reach(link, head, NULL) && ordered(head);
    requires fresh != NULL && !reach(link, head, fresh);
    requires fresh->link == NULL;
    ensures  reach(link, head, NULL) && ordered(head);
    ensures  \forall struct rec *r; r != NULL ==>
                 (reach(link, head, r) <==> \old(reach(link, head, r)) || r == fresh); */
void place(struct rec *head, struct rec *fresh)
{
    struct rec *at = head;

    while (at->link != NULL) {
        if (at->link->key <= fresh->key)
            break;
        at = at->link;
    }
    fresh->link = at->link;
    at->link = fresh;
} // BUG
