// A pointer to freed memory compared with one to another object: the machine does not follow it, so
// no engine has an answer, and each says where.
// expect: last unsupported
// expect[sll]: last unsupported
// expect[canonical]: last unsupported
// expect[proveit]: last unsupported
// expect[pdr-forall]: last unsupported

#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int data; };

void last(void)
{
    struct node *h = NULL, *p, *q;
    while (__VERIFIER_nondet_int()) {
        p = malloc(sizeof *p);
        p->data = 0;
        p->next = h;
        h = p;
    }
    if (h && h->next) {
        q = h->next;
        h->next = q->next;
        free(q);
        assert(q != h);
    }
    while (h) {
        p = h->next;
        free(h);
        h = p;
    }
}
