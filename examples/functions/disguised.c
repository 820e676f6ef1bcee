// Functions that travel as `void *`, in unions and through memory that is copied.
// expect: main safe
#include <assert.h>
#include <string.h>

union any { void *p; int (*f)(int); };
struct box { int n; int (*f)(int); };

static int more(int x) { return x + 1; }
static int less(int x) { return x - 1; }

int main(void)
{
    union any u, v;
    struct box a = { 1, more }, b;
    void *w = (void *)less;
    u.f = more;
    v.p = u.p;
    assert(v.f(1) == 2 && ((int (*)(int))w)(1) == 0 && w != v.p);
    memcpy(&b, &a, sizeof b);
    assert(b.f == more && b.f(b.n) == 2);
    memset(&b, 0, sizeof b);
    assert(!b.f);
    return 0;
}
