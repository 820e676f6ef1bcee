// Two flags in every cell, one the negation of the other: the exchange forgets one value.
// expect: main violated assertion
// expect[pdr-forall]: main violated assertion

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    bool a;
    bool b;
    struct cell *next;
};

int main(void)
{
    struct cell *l = NULL;
    struct cell *p;

    while (__VERIFIER_nondet_int()) {
        struct cell *c = malloc(sizeof(struct cell));
        c->a = __VERIFIER_nondet_int() ? true : false;
        c->b = !c->a;
        c->next = l;
        l = c;
    }
    for (p = l; p != NULL; p = p->next) {
        if (__VERIFIER_nondet_int()) {
            bool t = p->a;
            p->a = p->b;
            p->b = p->a;
        }
    }
    for (p = l; p != NULL; p = p->next)
        assert(p->a != p->b); // BUG
    while (l != NULL) {
        struct cell *next = l->next;
        free(l);
        l = next;
    }
    return 0;
}
