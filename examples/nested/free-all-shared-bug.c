// The contract forgets that two outer nodes may share an inner list.
// expect: free_all violated use-after-free

#include <stdlib.h>

struct inner { struct inner *next; };
struct outer { struct outer *next; struct inner *items; };

/*@ predicate own_lists(struct outer *o) = ls(next, o, NULL) &&
      (\forall struct outer *u; u != NULL && reach(next, o, u) ==> ls(next, u->items, NULL)); */

/*@ requires own_lists(o);
    ensures  \forall struct outer *u; u != NULL && \old(reach(next, o, u)) ==> !alloc(u);
    ensures  \forall struct inner *i; i != NULL ==> !alloc(i); */
void free_all(struct outer *o)
{
    while (o) {
        struct outer *onext = o->next;
        struct inner *i = o->items;
        while (i) {
            struct inner *inext = i->next; // BUG
            free(i);
            i = inext;
        }
        free(o);
        o = onext;
    }
}
