// Builds a doubly linked list of any length, front first.

#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct dnode {
    struct dnode *next, *prev;
};

/*@ predicate dll(struct dnode *h) = reach(next, h, NULL) &&
      (\forall struct dnode *v; v != NULL && reach(next, h, v) ==> reach(prev, v, NULL)) &&
      \forall struct dnode *u, *v; u != NULL && v != NULL && reach(next, h, u) ==>
          (reach(prev, u, v) <==> reach(next, h, v) && reach(next, v, u)); */

/*@ ensures  dll(\result);
    ensures  \forall struct dnode *v; v != NULL && reach(next, \result, v) ==> alloc(v) && !\old(alloc(v)); */
struct dnode *dll_create(void)
{
    struct dnode *h = NULL;

    while (__VERIFIER_nondet_bool()) {
        struct dnode *e = malloc(sizeof *e);
        e->next = h;
        e->prev = NULL;
        if (h != NULL)
            h->prev = e;
        h = e;
    }
    return h;
}
