// Cells with a mark are removed; none is left: some cells are passed over.
// expect: main violated assertion
// expect[pdr-forall]: main violated assertion

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
    struct cell *before = NULL;

    while (__VERIFIER_nondet_int()) {
        struct cell *c = malloc(sizeof(struct cell));
        c->mark = __VERIFIER_nondet_int() ? true : false;
        c->next = l;
        l = c;
    }
    p = l;
    while (p != NULL) {
        struct cell *next = p->next;
        if (p->mark) {
            if (before == NULL)
                l = next;
            else
                before->next = next;
            free(p);
        } else {
            before = p;
            if (next != NULL && __VERIFIER_nondet_int())
                next = next->next;
        }
        p = next;
    }
    for (p = l; p != NULL; p = p->next)
        assert(!p->mark); // BUG
    while (l != NULL) {
        struct cell *next = l->next;
        free(l);
        l = next;
    }
    return 0;
}
