// Builds a list of alternating values and checks that they alternate (Heap Interpolant Synthesis, Fig. 2.1).
// test: --gc
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
    bool d = true;
    struct cell *l = cons(d, NULL);

    while (__VERIFIER_nondet_int()) {
        d = !d;
        l = cons(d, l);
    }
    while (l != NULL) {
        assert(l->data == d);
        d = !d;
        l = l->next;
    }
    return 0;
}
