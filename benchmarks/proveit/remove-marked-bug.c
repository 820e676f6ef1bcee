// Removes marked cells from a list, with a bug: two in a row are not both removed.
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
    struct cell *l = NULL;
    struct cell *p;
    struct cell *q;

    while (__VERIFIER_nondet_int())
        l = cons(__VERIFIER_nondet_int() != 0, l);
    while (l != NULL && l->data) {
        p = l->next;
        free(l);
        l = p;
    }
    p = l;
    while (p != NULL) {
        q = p->next;
        if (q != NULL && q->data) {
            p->next = q->next;
            free(q);
            p = p->next;
            if (p == NULL)
                break;
        } else {
            p = q;
        }
    }
    while (l != NULL) {
        assert(!l->data); // BUG
        p = l->next;
        free(l);
        l = p;
    }
    return 0;
}
