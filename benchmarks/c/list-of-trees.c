#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct t { struct t *a, *b; };
struct l { struct l *next; struct t *tree; };

static struct t *tree(void)
{
    struct t *x = malloc(sizeof *x), *p;
    if (!x) abort();
    x->a = x->b = NULL;
    while (__VERIFIER_nondet_int()) {
        struct t *n = malloc(sizeof *n);
        if (!n) abort();
        n->a = n->b = NULL;
        p = x;
        for (;;) {
            if (__VERIFIER_nondet_int()) {
                if (!p->a) { p->a = n; break; }
                p = p->a;
            } else {
                if (!p->b) { p->b = n; break; }
                p = p->b;
            }
        }
    }
    return x;
}

static void fell(struct t *x)
{
    if (x->a) fell(x->a);
    if (x->b) fell(x->b);
    free(x);
}

int main(void)
{
    struct l *forest = NULL, *l;
    while (__VERIFIER_nondet_int()) {
        l = malloc(sizeof *l);
        if (!l) abort();
        l->tree = tree();
        l->next = forest;
        forest = l;
    }
    while (forest) {
        l = forest->next;
        fell(forest->tree);
        free(forest);
        forest = l;
    }
    return 0;
}
