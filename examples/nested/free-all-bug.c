// Frees only the first element of every inner list.
// expect: free_all violated leak

#include <stdlib.h>

struct inner { struct inner *next; };
struct outer { struct outer *next; struct inner *items; };

/*@ predicate own_lists(struct outer *o) = ls(next, o, NULL) &&
      (\forall struct outer *u; u != NULL && reach(next, o, u) ==> ls(next, u->items, NULL)) &&
      \forall struct outer *u, *v; u != NULL && v != NULL && u != v && reach(next, o, u) && reach(next, o, v) ==>
          \inter(content(next, u->items), content(next, v->items)) == \empty; */

/*@ requires own_lists(o);
    ensures  \forall struct outer *u; u != NULL && \old(reach(next, o, u)) ==> !alloc(u);
*/
void free_all(struct outer *o)
{
    while (o) {
        struct outer *onext = o->next;
        struct inner *i = o->items;
        free(i);
        free(o);
        o = onext;
    }
} // BUG
