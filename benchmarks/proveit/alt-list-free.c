// The whole of alt_list: the list is freed at the end (Heap Interpolant Synthesis, Fig. 2.1).
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
    struct cell *p;

    while (__VERIFIER_nondet_int()) {
        d = !d;
        l = cons(d, l);
    }
    p = l;
    while (p != NULL) {
        assert(p->data == d);
        d = !d;
        p = p->next;
    }
    while (l != NULL) {
        p = l->next;
        free(l);
        l = p;
    }
    return 0;
}
