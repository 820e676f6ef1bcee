// Ones, then twos in front, then threes in front; the walk sees three runs.
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

    while (__VERIFIER_nondet_int())
        l = cons(1, l);
    while (__VERIFIER_nondet_int())
        l = cons(2, l);
    while (__VERIFIER_nondet_int())
        l = cons(3, l);
    p = l;
    while (p != NULL && p->data == 3)
        p = p->next;
    while (p != NULL && p->data == 2)
        p = p->next;
    while (p != NULL && p->data == 1)
        p = p->next;
    assert(p == NULL);
    while (l != NULL) {
        struct cell *next = l->next;
        free(l);
        l = next;
    }
    return 0;
}
