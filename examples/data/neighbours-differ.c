// Values are pushed only if they differ from the first.
// expect: main safe
// expect[pdr-forall]: main verified

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
    struct cell *l = NULL;
    struct cell *p;

    while (__VERIFIER_nondet_int()) {
        int v = __VERIFIER_nondet_int();
        if (l == NULL || v != l->data)
            l = cons(v, l);
    }
    for (p = l; p != NULL && p->next != NULL; p = p->next)
        assert(p->data != p->next->data);
    while (l != NULL) {
        struct cell *next = l->next;
        free(l);
        l = next;
    }
    return 0;
}
