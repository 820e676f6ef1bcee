// Every cell of a list has one and the same unknown value.
// expect: main safe

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    int data;
    struct cell *next;
};

int main(void)
{
    struct cell *l = NULL;
    struct cell *c;
    int v = __VERIFIER_nondet_int();

    while (__VERIFIER_nondet_int()) {
        c = malloc(sizeof(struct cell));
        c->data = v;
        c->next = l;
        l = c;
    }
    while (l != NULL) {
        assert(l->data == v);
        c = l->next;
        free(l);
        l = c;
    }
    return 0;
}
