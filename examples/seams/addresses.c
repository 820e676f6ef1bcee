// Where objects lie in memory is not said: an object may begin where another one ends, and in memory
// that was freed.
// test: --engine explore
// expect: behind unsupported
// expect: reused unsupported
// expect: reused_local unsupported
// expect: before safe
// expect: same safe

#include <assert.h>
#include <stdlib.h>

void behind(void)
{
    int a[1], b[1];
    assert(a + 1 != b);
}

void reused(void)
{
    int *p = malloc(sizeof *p);
    free(p);
    int *q = malloc(sizeof *q);
    int equal = p == q;
    free(q);
    assert(!equal);
}

void reused_local(void)
{
    int *p, *q;
    {
        int x = 1;
        p = &x;
    }
    {
        int y = 1;
        q = &y;
        assert(p != q);
    }
}

void before(int *p, int *q)
{
    if (p == NULL || p == q)
        return;
    free(p);
    assert(p != q);
}

void same(void)
{
    int a[3] = {1, 2, 3}, s = 0;
    for (int *p = a; p != a + 3; p++)
        s += *p;
    assert(s == 6);
}
