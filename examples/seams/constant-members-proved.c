// No engine proves anything about a write to a constant object or member.
// test: --engine pdr-forall
// expect: by_name unsupported
// expect: of_caller unsupported
// expect: filled unsupported
// expect: in_callee unsupported
// expect: through_callee unsupported
// expect: other_member verified

#include <assert.h>
#include <stddef.h>
#include <string.h>

struct item { const int key; int value; };

void by_name(void)
{
    struct item x = {1, 2};
    *(int *)&x.key = 6;
    assert(x.key == 6);
}

void of_caller(struct item *x)
{
    if (x == NULL)
        return;
    *(int *)&x->key = 6;
    assert(x->key == 6);
}

void filled(void)
{
    const struct item c = {5, 5};
    memset((void *)&c, 0, sizeof c);
    assert(c.value == 0);
}

static void change(struct item *x)
{
    x->value = 6;
}

void in_callee(void)
{
    const struct item c = {5, 5};
    change((struct item *)&c);
    assert(c.value == 6);
}

static void change_key(struct item *x)
{
    *(int *)&x->key = 6;
}

void through_callee(void)
{
    struct item x = {1, 2};
    change_key(&x);
    assert(x.key == 6);
}

void other_member(struct item *x)
{
    if (x == NULL)
        return;
    x->value = x->key;
    assert(x->value == x->key);
}
