// Two lists of the same length: no pattern counts, so the oracle gives up.
// test: --engine proveit
// expect: main unknown oracle

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell { struct cell *next; };

int main(void)
{
    struct cell *a = NULL, *b = NULL, *c;

    while (__VERIFIER_nondet_int()) {
        c = malloc(sizeof(struct cell));
        c->next = a;
        a = c;
        c = malloc(sizeof(struct cell));
        c->next = b;
        b = c;
    }
    while (a != NULL) {
        c = a->next;
        free(a);
        a = c;
        c = b->next;
        free(b);
        b = c;
    }
    return 0;
}
