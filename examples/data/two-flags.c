// Two flags in every cell, one the negation of the other.
// expect: main safe
// expect[pdr-forall]: main verified

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
            p->b = t;
        }
    }
    for (p = l; p != NULL; p = p->next)
        assert(p->a != p->b);
    while (l != NULL) {
        struct cell *next = l->next;
        free(l);
        l = next;
    }
    return 0;
}
