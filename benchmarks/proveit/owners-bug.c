// Every cell points back to the head of its list, with a bug: some to nowhere.
// expect: main violated assertion

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    struct cell *next;
    struct head *owner;
};

struct head {
    struct cell *first;
};

int main(void)
{
    struct head *h = malloc(sizeof(struct head));
    struct cell *c;

    h->first = NULL;
    while (__VERIFIER_nondet_int()) {
        c = malloc(sizeof(struct cell));
        c->owner = h->first ? h->first->owner : NULL;
        c->next = h->first;
        h->first = c;
    }
    while (h->first != NULL) {
        c = h->first;
        assert(c->owner == h); // BUG
        h->first = c->next;
        free(c);
    }
    free(h);
    return 0;
}
