// `a ?: b` evaluates `a` once, and takes the types of both; parameters give the lengths of others.
// expect: main safe
#include <assert.h>
#include <stddef.h>

static int calls;
static int next(void) { return calls++; }
static int sum(size_t n, int a[n])
{
    int all = 0;
    for (size_t i = 0; i < n; i++) all += a[i];
    return all;
}
static int first(int n, int a[static 2], int rest[const n + 1]) { return n ? a[0] : rest[0]; }

int main(void)
{
    int a = next() ?: 5, b = next()?:6, x[] = { 1, 2, 3 };
    const char *p = NULL, *q = p ? : "text", *r = q ?: p;
    long c = (char)0 ?: -1L;
    assert(a == 5 && b == 1 && calls == 2 && q[0] == 't' && r == q && c == -1);
    a ?: next();
    assert(calls == 2 && (0 ?: 3) == 3 && (2 ?: 3) == 2);
    if (p ?: q) b = 7;
    assert(b == 7 && sum(3, x) == 6 && first(1, x, x) == 1);
    return 0;
}
