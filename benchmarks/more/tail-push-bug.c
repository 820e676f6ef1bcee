// Moves a list to the end of a queue, and moves its tail only once.

#include <stddef.h>

struct pkt {
    struct pkt *link;
};

struct pkt *head, *tail;

/*@ predicate queue(struct pkt *f, struct pkt *l) = reach(link, f, NULL) && (f == NULL <==> l == NULL) &&
      reach(link, f, l) && \forall struct pkt *v; v != NULL && reach(link, f, v) ==> reach(link, v, l); */

/*@ requires queue(head, tail);
    requires reach(link, burst, NULL);
    requires \forall struct pkt *v; v != NULL && reach(link, head, v) ==> !reach(link, burst, v);
    ensures  queue(head, tail);
    ensures  \forall struct pkt *v; v != NULL ==>
                 (reach(link, head, v) <==> \old(reach(link, head, v)) || \old(reach(link, burst, v)));
    ensures  \forall struct pkt *u, *v; v != NULL && \old(reach(link, u, v)) && reach(link, head, u) ==>
                 reach(link, u, v);
    ensures  \forall struct pkt *u, *v; u != NULL && v != NULL && \old(reach(link, head, u)) &&
                 \old(reach(link, burst, v)) ==> reach(link, u, v); */
void push_tail(struct pkt *burst)
{
    while (burst) {
        struct pkt *p = burst;
        burst = p->link;
        p->link = NULL;
        if (!head)
            head = p;
        else
            tail->link = p;
        if (!tail)
            tail = p;
    }
} // BUG
