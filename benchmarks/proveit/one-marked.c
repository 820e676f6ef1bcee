// A list with exactly one marked cell (Heap Interpolant Synthesis, section 6.4.1: reachability).
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
    bool seen = false;

    while (__VERIFIER_nondet_int())
        l = cons(false, l);
    l = cons(true, l);
    while (__VERIFIER_nondet_int())
        l = cons(false, l);
    p = l;
    while (p != NULL) {
        if (p->data) {
            assert(!seen);
            seen = true;
        }
        p = p->next;
    }
    assert(seen);
    while (l != NULL) {
        p = l->next;
        free(l);
        l = p;
    }
    return 0;
}
