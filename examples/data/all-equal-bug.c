// One unknown value in all cells: some with another value.
// expect: main violated assertion
// expect[pdr-forall]: main violated assertion

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    int data;
    struct cell *next;
};

static struct cell *cons(int data, struct cell *next)
{
    struct cell *c = malloc(sizeof(struct cell));
    c->data = data;
    c->next = next;
    return c;
}

int main(void)
{
    int v = __VERIFIER_nondet_int();
    struct cell *l = cons(v, NULL);
    struct cell *p;

    while (__VERIFIER_nondet_int())
        l = cons(__VERIFIER_nondet_int(), l);
    for (p = l; p->next != NULL; p = p->next)
        assert(p->data == p->next->data); // BUG
    assert(p->data == v);
    while (l != NULL) {
        struct cell *next = l->next;
        free(l);
        l = next;
    }
    return 0;
}
