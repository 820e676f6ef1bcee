#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct inner { struct inner *next; };
struct outer { struct outer *next; struct inner *list; };

static struct inner *make_inner(void)
{
    struct inner *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct inner *i = malloc(sizeof *i);
        if (!i) abort();
        i->next = l;
        l = i;
    }
    return l;
}

int main(void)
{
    struct outer *o = NULL;

    while (__VERIFIER_nondet_int()) {
        struct outer *n = malloc(sizeof *n);
        if (!n) abort();
        n->list = make_inner();
        n->next = o;
        o = n;
    }
    while (o) {
        struct outer *n = o->next;
        while (o->list) {
            struct inner *i = o->list->next;
            free(o->list);
            o->list = i;
        }
        free(o);
        o = n;
    }
    return 0;
}
