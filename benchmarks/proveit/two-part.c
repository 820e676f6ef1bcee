// A list of a true part, then a false part (Heap Interpolant Synthesis, section 6.4.1: two-part list).
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

    while (__VERIFIER_nondet_int())
        l = cons(false, l);
    while (__VERIFIER_nondet_int())
        l = cons(true, l);
    p = l;
    while (p != NULL && p->data)
        p = p->next;
    while (p != NULL) {
        assert(!p->data);
        p = p->next;
    }
    while (l != NULL) {
        p = l->next;
        free(l);
        l = p;
    }
    return 0;
}
