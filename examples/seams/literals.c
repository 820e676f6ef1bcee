// C does not say whether literals share memory: equal strings, the end of one and another one,
// constant compound literals. Neither does it say what the caller's literals are.
// test: --engine explore
// expect: equal unsupported
// expect: end unsupported
// expect: in_table unsupported
// expect: compound unsupported
// expect: of_caller unsupported
// expect: same safe
// expect: contents safe
// expect: with_array safe

#include <assert.h>
#include <stddef.h>

static const char *const table[2] = {"x", "x"};

void equal(void)
{
    const char *a = "x", *b = "x";
    assert(a == b);
}

void end(void)
{
    assert("hello" + 3 != "lo");
}

void in_table(void)
{
    assert(table[0] != table[1]);
}

void compound(void)
{
    const int *a = (const int[]){1, 2}, *b = (const int[]){1, 2};
    assert(a != b);
}

void of_caller(const char *name)
{
    assert(name == NULL || name != "x");
}

static const char *text(void)
{
    return "x";
}

void same(void)
{
    const char *a = text();
    assert(a == text() && a != NULL && a + 1 != a);
}

void contents(void)
{
    const char *a = "lo";
    assert(("hello" + 3)[1] == a[1]);
}

void with_array(void)
{
    char a[2] = "x";
    assert(a != text());
    int *p = (int[]){1}, *q = (int[]){1};
    assert(p != q);
}
