#include <stddef.h>
#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct hnode { struct hnode *next, **pprev; };
struct hhead { struct hnode *first; };
struct obj { int id; struct hnode link; };

#define obj_of(n) ((struct obj *)((char *)(n) - offsetof(struct obj, link)))

static void add(struct obj *o, struct hhead *h)
{
    o->link.next = h->first;
    if (h->first)
        h->first->pprev = &o->link.next;
    h->first = &o->link;
    o->link.pprev = &h->first;
}

static void del(struct obj *o)
{
    *o->link.pprev = o->link.next;
    if (o->link.next)
        o->link.next->pprev = o->link.pprev;
}

int main(void)
{
    struct hhead h = { NULL };
    struct hnode *n;

    while (__VERIFIER_nondet_int()) {
        struct obj *o = malloc(sizeof *o);
        if (!o)
            abort();
        o->id = 1;
        add(o, &h);
    }
    n = h.first;
    while (n && __VERIFIER_nondet_int())
        n = n->next;
    if (n) {
        struct obj *o = obj_of(n);
        assert(o->id == 1);
        del(o);
        free(o);
    }
    while (h.first) {
        struct obj *o = obj_of(h.first);
        del(o);
        free(o);
    }
    return 0;
}
