#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct stream;
struct ops {
    int (*get)(struct stream *);
    void (*put)(struct stream *, int);
};
struct chunk { struct chunk *next; int c; };
struct stream { const struct ops *ops; struct chunk *top; };

static int stack_get(struct stream *s)
{
    struct chunk *k = s->top;
    int c;
    if (!k)
        return -1;
    c = k->c;
    s->top = k->next;
    free(k);
    return c;
}

static void stack_put(struct stream *s, int c)
{
    struct chunk *k = malloc(sizeof *k);
    if (!k)
        abort();
    k->c = c;
    k->next = s->top;
    s->top = k;
}

static const struct ops stack_ops = { stack_get, stack_put };

int main(void)
{
    struct stream s = { &stack_ops, NULL };
    while (__VERIFIER_nondet_int())
        s.ops->put(&s, 8);
    while (s.top)
        assert(s.ops->get(&s) == 8);
    assert(s.ops->get(&s) == -1);
    return 0;
}
