// A constant local is written where it is declared, and never again.
// test: --engine explore
// expect: by_name unsupported
// expect: through_pointer unsupported
// expect: in_callee unsupported
// expect: read safe

#include <assert.h>

struct pair { int a, b; };

void by_name(void)
{
    const int c = 5;
    *(int *)&c = 6;
    assert(c == 6);
}

void through_pointer(void)
{
    const int c = 5;
    int *p = (int *)&c;
    *p = 6;
    assert(c == 6);
}

static void change(struct pair *p)
{
    p->a = 2;
}

void in_callee(void)
{
    const struct pair c = {1, 2};
    change((struct pair *)&c);
    assert(c.a == 2);
}

static int sum(const struct pair *p)
{
    return p->a + p->b;
}

void read(void)
{
    for (int i = 0; i < 3; i++) {
        const struct pair c = {i, 1};
        assert(sum(&c) == i + 1);
    }
}
