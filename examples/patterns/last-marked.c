// Only the last cell of a list is marked, so whoever walks to the mark is at the end.
// test: --engine proveit
// expect: main verified

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell { int marked; struct cell *next; };

static struct cell *cons(int marked, struct cell *next)
{
    struct cell *c = malloc(sizeof(struct cell));
    c->marked = marked;
    c->next = next;
    return c;
}

int main(void)
{
    struct cell *l = cons(1, NULL);
    struct cell *p;

    while (__VERIFIER_nondet_int())
        l = cons(0, l);
    p = l;
    while (!p->marked)
        p = p->next;
    assert(p->next == NULL);
    while (l != NULL) {
        p = l->next;
        free(l);
        l = p;
    }
    return 0;
}
