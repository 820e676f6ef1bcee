// The whole of alt_list with a bug: the check begins with the wrong value.
// expect: main violated assertion

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    bool data;
    struct cell *next;
};

static struct cell *cons(bool d, struct cell *tail)
{
    struct cell *c = malloc(sizeof(struct cell));
    c->data = d;
    c->next = tail;
    return c;
}

int main(void)
{
    bool d = true;
    struct cell *l = cons(d, NULL);
    struct cell *p;

    while (__VERIFIER_nondet_int()) {
        d = !d;
        l = cons(d, l);
    }
    p = l;
    d = !d;
    while (p != NULL) {
        assert(p->data == d); // BUG
        d = !d;
        p = p->next;
    }
    while (l != NULL) {
        p = l->next;
        free(l);
        l = p;
    }
    return 0;
}
