// Moves an entry of a cache to the front; the header keeps the front.

#include <stddef.h>

struct entry {
    struct entry *older;
    int key;
};

struct cache {
    struct entry *newest;
    int hits;
};

/*@ requires c != NULL && e != NULL && reach(older, c->newest, NULL) && reach(older, c->newest, e);
    assigns  c->newest, c->hits, { v->older | struct entry *v; reach(older, c->newest, v) };
    ensures  c->newest == e && reach(older, e, NULL);
    ensures  \forall struct entry *v; v != NULL ==>
                 (reach(older, c->newest, v) <==> \old(reach(older, c->newest, v))); */
void touch(struct cache *c, struct entry *e)
{
    struct entry *p = c->newest;

    c->hits = c->hits + 1;
    if (p == e)
        return;
    while (p->older != e)
        p = p->older;
    p->older = e->older;
    e->older = c->newest;
    c->newest = e;
}
