// Deletes neighbours from an alternating list, with a bug: one at a time.
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
    struct cell *q;

    while (__VERIFIER_nondet_int()) {
        d = !d;
        l = cons(d, l);
    }
    p = l;
    while (p != NULL) {
        if (p->next != NULL && p->next->next != NULL && __VERIFIER_nondet_int()) {
            q = p->next;
            p->next = q->next;
            free(q);
        } else {
            p = p->next;
        }
    }
    while (l != NULL) {
        assert(l->data == d); // BUG
        d = !d;
        p = l->next;
        free(l);
        l = p;
    }
    return 0;
}
