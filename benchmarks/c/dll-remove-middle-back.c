#include <stdlib.h>
#include <assert.h>

int __VERIFIER_nondet_int(void);

typedef struct entry entry;
struct entry {
    int n;
    entry *fwd;
    entry *back;
};

static entry *unlink_entry(entry *list, entry *e)
{
    if (e->back)
        e->back->fwd = e->fwd; // BUG
    else
        list = e->fwd;
    if (e->fwd && e->back)
        e->fwd->back = e->back;
    return list;
}

int main(void)
{
    entry *list = NULL, *e;
    int i;

    while (__VERIFIER_nondet_int()) {
        e = calloc(1, sizeof(entry));
        if (!e)
            abort();
        e->fwd = list;
        if (list)
            list->back = e;
        list = e;
    }
    e = list;
    while (e && __VERIFIER_nondet_int())
        e = e->fwd;
    if (e) {
        list = unlink_entry(list, e);
        free(e);
    }
    i = 0;
    while (list) {
        e = list;
        list = unlink_entry(list, list);
        free(e);
        i++;
    }
    return i < 0;
}
