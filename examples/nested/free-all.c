// Frees a list of lists.
// expect: free_all safe

#include <stdlib.h>

struct inner { struct inner *next; };
struct outer { struct outer *next; struct inner *items; };

/*@ predicate own_lists(struct outer *o) = ls(next, o, NULL) &&
      (\forall struct outer *u; u != NULL && reach(next, o, u) ==> ls(next, u->items, NULL)) &&
      \forall struct outer *u, *v; u != NULL && v != NULL && u != v && reach(next, o, u) && reach(next, o, v) ==>
          \inter(content(next, u->items), content(next, v->items)) == \empty; */

/*@ requires own_lists(o);
    ensures  \forall struct outer *u; u != NULL && \old(reach(next, o, u)) ==> !alloc(u);
    ensures  \forall struct inner *i; i != NULL ==> !alloc(i); */
void free_all(struct outer *o)
{
    while (o) {
        struct outer *onext = o->next;
        struct inner *i = o->items;
        while (i) {
            struct inner *inext = i->next;
            free(i);
            i = inext;
        }
        free(o);
        o = onext;
    }
}
