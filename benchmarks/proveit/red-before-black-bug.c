// Red before black with a bug: the colours are exchanged in front.
// expect: main violated assertion

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    bool red;
    struct cell *next;
};

int main(void)
{
    struct cell *first = NULL;
    struct cell *last = NULL;
    struct cell *c;

    while (__VERIFIER_nondet_int()) {
        c = malloc(sizeof(struct cell));
        c->red = __VERIFIER_nondet_int() != 0;
        c->next = NULL;
        if (first == NULL) {
            first = c;
            last = c;
        } else if (c->red || __VERIFIER_nondet_int() == 3) {
            c->next = first;
            first = c;
        } else {
            last->next = c;
            last = c;
        }
    }
    bool black = false;
    while (first != NULL) {
        if (!first->red)
            black = true;
        assert(!black || !first->red); // BUG
        c = first->next;
        free(first);
        first = c;
    }
    return 0;
}
