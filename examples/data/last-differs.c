// The last cell holds nine, the others one.
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
    struct cell *l = cons(9, NULL);
    struct cell *p;

    while (__VERIFIER_nondet_int())
        l = cons(1, l);
    for (p = l; p->data != 9; p = p->next)
        assert(p->data == 1);
    assert(p->next == NULL);
    while (l != NULL) {
        struct cell *next = l->next;
        free(l);
        l = next;
    }
    return 0;
}
