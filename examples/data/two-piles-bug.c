// Cells go to one of two lists, by their value: sevens go to the ones.
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
    struct cell *ones = NULL;
    struct cell *others = NULL;
    struct cell *p;

    while (__VERIFIER_nondet_int())
        l = cons(__VERIFIER_nondet_int(), l);
    while (l != NULL) {
        struct cell *next = l->next;
        if (l->data == 1 || l->data == 7) {
            l->next = ones;
            ones = l;
        } else {
            l->next = others;
            others = l;
        }
        l = next;
    }
    for (p = ones; p != NULL; p = p->next)
        assert(p->data == 1); // BUG
    for (p = others; p != NULL; p = p->next)
        assert(p->data != 1);
    l = ones;
    while (l != NULL) {
        struct cell *next = l->next;
        free(l);
        l = next;
    }
    l = others;
    while (l != NULL) {
        struct cell *next = l->next;
        free(l);
        l = next;
    }
    return 0;
}
