// At most one marked cell, with a bug: the flag is forgotten.
// expect: main violated assertion

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    bool data;
    struct cell *next;
};

static struct cell *cons(bool d, struct cell *tail)
{
    struct cell *c = malloc(sizeof(struct cell));
    c->data = d;
    c->next = tail;
    return c;
}

int main(void)
{
    struct cell *l = NULL;
    struct cell *p;
    bool marked = false;

    while (__VERIFIER_nondet_int()) {
        if (!marked && __VERIFIER_nondet_int()) {
            l = cons(true, l);
            marked = __VERIFIER_nondet_int() != 0;
        } else {
            l = cons(false, l);
        }
    }
    p = l;
    while (p != NULL) {
        if (p->data) {
            assert(marked); // BUG
            marked = false;
        }
        p = p->next;
    }
    while (l != NULL) {
        p = l->next;
        free(l);
        l = p;
    }
    return 0;
}
