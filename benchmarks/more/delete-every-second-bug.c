// Frees every second node of a list, and does not see where the list ends.

#include <stdlib.h>

struct sample {
    struct sample *later;
};

/*@ requires reach(later, s, NULL);
    ensures  reach(later, s, NULL);
    ensures  \forall struct sample *v; v != NULL && \old(reach(later, s, v)) ==>
                 (alloc(v) <==> reach(later, s, v));
    ensures  \forall struct sample *v; v != NULL && reach(later, s, v) ==> \old(reach(later, s, v));
    ensures  \forall struct sample *u, *v; v != NULL && reach(later, s, u) && reach(later, u, v) ==>
                 \old(reach(later, u, v)); */
void thin(struct sample *s)
{
    while (s != NULL) {
        struct sample *gone = s->later;
        s->later = gone->later; // BUG
        s = gone->later;
        free(gone);
    }
}
