// Sorts cells by their colour, with a bug: the colour of the next cell is looked at.
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
    struct cell *l = NULL;
    struct cell *reds = NULL;
    struct cell *blacks = NULL;
    struct cell *c;

    while (__VERIFIER_nondet_int()) {
        c = malloc(sizeof(struct cell));
        c->red = __VERIFIER_nondet_int() != 0;
        c->next = l;
        l = c;
    }
    while (l != NULL) {
        c = l;
        l = l->next;
        if (l != NULL ? l->red : c->red) {
            c->next = reds;
            reds = c;
        } else {
            c->next = blacks;
            blacks = c;
        }
    }
    while (reds != NULL) {
        assert(reds->red); // BUG
        c = reds->next;
        free(reds);
        reds = c;
    }
    while (blacks != NULL) {
        assert(!blacks->red);
        c = blacks->next;
        free(blacks);
        blacks = c;
    }
    return 0;
}
