// Every cell of a list has the same value, with a bug: the value changes on the way.
// expect: main violated assertion

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
        if (v == 4)
            v = 5;
    }
    while (l != NULL) {
        assert(l->data == v); // BUG
        c = l->next;
        free(l);
        l = c;
    }
    return 0;
}
