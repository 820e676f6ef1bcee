// At most one cell of a list is marked, and a flag says whether one is.
// expect: main safe

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
            marked = true;
        } else {
            l = cons(false, l);
        }
    }
    p = l;
    while (p != NULL) {
        if (p->data) {
            assert(marked);
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
