// Ones and twos become threes and fours: twos stay.
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
    struct cell *l = NULL;
    struct cell *p;

    while (__VERIFIER_nondet_int())
        l = cons(__VERIFIER_nondet_int() ? 1 : 2, l);
    for (p = l; p != NULL; p = p->next)
        p->data = p->data == 1 ? 3 : p->data;
    for (p = l; p != NULL; p = p->next)
        assert(p->data == 3 || p->data == 4); // BUG
    while (l != NULL) {
        struct cell *next = l->next;
        free(l);
        l = next;
    }
    return 0;
}
