// Moves a node of a doubly linked list to its front, as a cache does with what was used last.

#include <stddef.h>

struct page {
    struct page *newer, *older;
};

/*@ predicate lru(struct page *h) = reach(older, h, NULL) &&
      (\forall struct page *v; v != NULL && reach(older, h, v) ==> reach(newer, v, NULL)) &&
      \forall struct page *u, *v; u != NULL && v != NULL && reach(older, h, u) ==>
          (reach(newer, u, v) <==> reach(older, h, v) && reach(older, v, u)); */

/*@ requires lru(h) && p != NULL && reach(older, h, p);
    ensures  lru(p);
    ensures  \result == p;
    ensures  \forall struct page *v; v != NULL ==> (reach(older, p, v) <==> \old(reach(older, h, v)));
    ensures  \forall struct page *u, *v; u != p && v != p && v != NULL && \old(reach(older, h, u)) ==>
                 (reach(older, u, v) <==> \old(reach(older, u, v))); */
struct page *touch(struct page *h, struct page *p)
{
    if (p == h)
        return p;
    p->newer->older = p->older;
    if (p->older != NULL)
        p->older->newer = p->newer;
    p->newer = NULL;
    p->older = h;
    h->newer = p;
    return p;
}
