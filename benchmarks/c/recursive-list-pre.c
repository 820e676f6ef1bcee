#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct L { struct L *tail; };

static struct L *build(void)
{
    struct L *l;
    if (!__VERIFIER_nondet_int())
        return NULL;
    l = malloc(sizeof *l);
    if (!l)
        abort();
    l->tail = build();
    return l;
}

static struct L *rev(struct L *l, struct L *acc)
{
    struct L *t;
    if (!l)
        return acc;
    t = l->tail;
    l->tail = acc;
    return rev(t, l);
}

static void unbuild(struct L *l)
{
    if (l) {
        free(l);
        unbuild(l->tail); // BUG
    }
}

int main(void)
{
    unbuild(rev(build(), NULL));
    return 0;
}
