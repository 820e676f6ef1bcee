// Removes nodes with equal keys from a sorted list; the first of each run stays.

#include <stdlib.h>

struct entry {
    int id;
    struct entry *next;
};

/*@ requires reach(next, e, NULL);
    requires sorted(next, id, e, NULL);
    ensures  reach(next, e, NULL);
    ensures  \forall struct entry *v; v != NULL && reach(next, e, v) ==> \old(reach(next, e, v));
    ensures  \forall struct entry *u, *v; v != NULL && reach(next, e, u) && reach(next, e, v) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v)));
    ensures  \forall struct entry *u, *v; u != v && u != NULL && v != NULL && reach(next, e, u) &&
                 reach(next, u, v) ==>
                 u->id < v->id;
    ensures  \forall struct entry *v; v != NULL && \old(reach(next, e, v)) ==>
                 (alloc(v) <==> reach(next, e, v)); */
void unique(struct entry *e)
{
    while (e) {
        struct entry *dup = e->next;
        if (dup && dup->id == e->id) {
            e->next = dup->next;
            free(dup);
        } else {
            e = dup;
        }
    }
}
