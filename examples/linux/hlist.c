// Kernel-style hlist: pprev points to the link that points to the node.
// expect: main safe

#include <stdlib.h>
#include <assert.h>

struct hnode {
    struct hnode *next, **pprev;
};
struct hhead {
    struct hnode *first;
};

static void hlist_add(struct hnode *n, struct hhead *h)
{
    n->next = h->first;
    if (h->first)
        h->first->pprev = &n->next;
    h->first = n;
    n->pprev = &h->first;
}

static void hlist_del(struct hnode *n)
{
    *n->pprev = n->next;
    if (n->next)
        n->next->pprev = n->pprev;
}

int main(void)
{
    struct hhead h = { NULL };
    struct hnode *a = malloc(sizeof *a), *b = malloc(sizeof *b), *c = malloc(sizeof *c);

    hlist_add(a, &h);
    hlist_add(b, &h);
    hlist_add(c, &h);
    assert(h.first == c && c->next == b && b->next == a);
    hlist_del(b);
    free(b);
    assert(c->next == a && *a->pprev == a);
    hlist_del(c);
    free(c);
    hlist_del(a);
    assert(h.first == NULL);
    free(a);
    return 0;
}
