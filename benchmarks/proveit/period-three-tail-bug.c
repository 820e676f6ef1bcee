// Three values in turn, built at the tail, with a bug: the check goes the other way round.
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
    struct cell *first = malloc(sizeof(struct cell));
    struct cell *last = first;
    struct cell *c;
    int v = 0;

    first->data = 0;
    first->next = NULL;
    while (__VERIFIER_nondet_int()) {
        v = v == 2 ? 0 : v + 1;
        c = malloc(sizeof(struct cell));
        c->data = v;
        c->next = NULL;
        last->next = c;
        last = c;
    }
    v = 0;
    while (first != NULL) {
        assert(first->data == v); // BUG
        v = v == 0 ? 2 : v - 1;
        c = first->next;
        free(first);
        first = c;
    }
    return 0;
}
