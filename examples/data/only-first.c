// The first cell has the mark, and no other.
// expect: main safe
// expect[pdr-forall]: main verified

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    bool mark;
    struct cell *next;
};

int main(void)
{
    struct cell *l = NULL;
    struct cell *p;

    while (__VERIFIER_nondet_int()) {
        struct cell *c = malloc(sizeof(struct cell));
        if (l != NULL)
            l->mark = false;
        c->mark = true;
        c->next = l;
        l = c;
    }
    if (l != NULL) {
        assert(l->mark);
        for (p = l->next; p != NULL; p = p->next)
            assert(!p->mark);
    }
    while (l != NULL) {
        struct cell *next = l->next;
        free(l);
        l = next;
    }
    return 0;
}
