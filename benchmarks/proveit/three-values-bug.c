// Three values in turn with a bug: after 2 comes 1.
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
    int v = 0;

    while (__VERIFIER_nondet_int()) {
        c = malloc(sizeof(struct cell));
        c->data = v;
        c->next = l;
        l = c;
        v = v == 2 ? 1 : v + 1;
    }
    while (l != NULL) {
        v = v == 0 ? 2 : v - 1;
        assert(l->data == v); // BUG
        c = l->next;
        free(l);
        l = c;
    }
    return 0;
}
