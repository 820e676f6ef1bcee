// Marks a prefix of a list; behind the first cell without a mark there is none.
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
        c->mark = false;
        c->next = l;
        l = c;
    }
    p = l;
    while (p != NULL && __VERIFIER_nondet_int()) {
        p->mark = true;
        p = p->next;
    }
    p = l;
    while (p != NULL && p->mark)
        p = p->next;
    while (p != NULL) {
        assert(!p->mark);
        p = p->next;
    }
    while (l != NULL) {
        struct cell *next = l->next;
        free(l);
        l = next;
    }
    return 0;
}
