#include <stdlib.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct n { struct n *x; };

static struct n *make(void)
{
    struct n *l = NULL;
    do {
        struct n *m = malloc(sizeof(struct n));
        if (!m)
            exit(0);
        m->x = l;
        l = m;
    } while (__VERIFIER_nondet_int());
    return l;
}

int main(void)
{
    struct n *one = make();
    struct n *two = make();
    struct n *t = one;

    while (t->x)
        t = t->x;
    t->x = two;
    while (one) {
        t = one->x;
        free(one);
        one = t;
}
free(two); // BUG
return 0;
}
