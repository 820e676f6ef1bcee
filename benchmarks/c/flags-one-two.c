#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct node { int h; struct node *n; };

/* 1 1 ... 1 2 2 ... 2 3 */
int main(void)
{
    struct node *a = malloc(sizeof *a), *p = a, *t;

    if (a == NULL)
        exit(1);
    while (__VERIFIER_nondet_int()) {
        p->h = 1;
        t = malloc(sizeof *t);
        if (t == NULL)
            exit(1);
        p->n = t;
        p = p->n;
    }
    while (__VERIFIER_nondet_int()) {
        p->h = 2;
        t = malloc(sizeof *t);
        if (t == NULL)
            exit(1);
        p->n = t;
        p = p->n;
    }
    p->h = 3;
    p->n = NULL;
    p = a;
    while (p->h == 1)
        p = p->n;
    while (p->h == 2)
        p = p->n;
    assert(p->h == 3);
    assert(p->n == NULL);
    while (a) {
        t = a->n;
        free(a);
        a = t;
    }
    return 0;
}
