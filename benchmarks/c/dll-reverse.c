#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct n { struct n *a, *b; };

int main(void)
{
    struct n *h = NULL, *x, *t;
    int first = 1;

    while (__VERIFIER_nondet_int()) {
        x = malloc(sizeof *x);
        if (!x)
            return 1;
        x->a = h;
        x->b = NULL;
        if (!first)
            h->b = x;
        first = 0;
        h = x;
    }
    /* swap the links of every node */
    x = NULL;
    while (h) {
        t = h->a;
        h->a = h->b;
        h->b = t;
        x = h;
        h = t;
    }
    for (t = x; t; t = t->a)
        assert(!t->a || t->a->b == t);
    while (x) {
        t = x->a;
        free(x);
        x = t;
    }
    return 0;
}
