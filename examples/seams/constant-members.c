// A constant parameter has the value that the caller gave; a constant member that of the declaration.
// Memory that was allocated is not declared, so its members may be filled in.
// test: --engine explore
// expect: parameter unsupported
// expect: filled unsupported
// expect: by_name unsupported
// expect: through_pointer unsupported
// expect: of_caller unsupported
// expect: as_block unsupported
// expect: nested unsupported
// expect: renamed unsupported
// expect: static_object unsupported
// expect: make safe
// expect: other_member safe
// expect: pointed_to safe

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct item { const int key; int value; };
struct pair { struct item a, b; };
typedef const int constant;

void parameter(const int c)
{
    int *p = (int *)&c;
    *p = 6;
    assert(c == 6);
}

void filled(const int c)
{
    memset((void *)&c, 0, sizeof c);
    assert(c == 0);
}

void by_name(void)
{
    struct item x = {1, 2};
    *(int *)&x.key = 6;
    assert(x.key == 6);
}

void through_pointer(void)
{
    struct item x = {1, 2};
    int *p = (int *)&x.key;
    *p = 6;
    assert(x.key == 6);
}

void of_caller(struct item *x)
{
    if (x == NULL)
        return;
    *(int *)&x->key = 6;
    assert(x->key == 6);
}

void as_block(void)
{
    struct item x = {1, 2}, y = {3, 4};
    memcpy(&x, &y, sizeof x);
    assert(x.key == 3);
}

void nested(void)
{
    struct pair x = {{1, 2}, {3, 4}};
    int *p = (int *)&x.b;
    *p = 6;
    assert(x.b.key == 6);
}

void renamed(void)
{
    constant c = 5;
    int *p = (int *)&c;
    *p = 6;
    assert(c == 6);
}

static struct item stored;

void static_object(void)
{
    int *p = (int *)&stored.key;
    *p = 6;
    assert(stored.key == 6);
}

struct item *make(int key)
{
    struct item *x = malloc(sizeof *x);
    *(int *)&x->key = key;
    x->value = 1;
    assert(x->key == key);
    return x;
}

void other_member(struct item *x)
{
    struct item y = {1, 2};
    if (x != NULL)
        x->value = y.key;
    y.value = 3;
    assert(y.key == 1 && y.value == 3);
}

void pointed_to(const int n, const struct item *x)
{
    if (x != NULL)
        assert(x->key == x->key);
    x = NULL;
    const int *p = &n;
    assert(*p == n);
}
