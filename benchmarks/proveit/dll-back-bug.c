// Walking back to the marked first cell, with a bug: others may be marked too.
// expect: main violated assertion

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    bool data;
    struct cell *next;
    struct cell *prev;
};

int main(void)
{
    struct cell *first = malloc(sizeof(struct cell));
    struct cell *last = first;
    struct cell *c;

    first->data = true;
    first->next = NULL;
    first->prev = NULL;
    while (__VERIFIER_nondet_int()) {
        c = malloc(sizeof(struct cell));
        c->data = __VERIFIER_nondet_int() == 1;
        c->next = NULL;
        c->prev = last;
        last->next = c;
        last = c;
    }
    while (!last->data) {
        assert(last->prev->next == last);
        last = last->prev;
    }
    assert(last == first); // BUG
    while (first != NULL) {
        c = first->next;
        free(first);
        first = c;
    }
    return 0;
}
