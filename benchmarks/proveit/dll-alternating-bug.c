// A doubly linked list of alternating values with a bug: a back pointer skips a cell.
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
    struct cell *l = NULL;
    struct cell *c;
    bool d = false;

    while (__VERIFIER_nondet_int()) {
        d = !d;
        c = malloc(sizeof(struct cell));
        c->data = d;
        c->next = l;
        c->prev = NULL;
        if (l != NULL)
            l->prev = c->next->next ? c->next->next : c;
        l = c;
    }
    c = l;
    while (c != NULL) {
        assert(c->next == NULL || c->next->prev == c); // BUG
        assert(c->prev == NULL || c->prev->data != c->data);
        c = c->next;
    }
    while (l != NULL) {
        c = l->next;
        free(l);
        l = c;
    }
    return 0;
}
