// Types of functions with names, functions that return functions, pointers to pointers to functions,
// and pointers without a prototype.
// expect: main safe
#include <assert.h>

typedef int unary(int);
unary twice, negative;
int twice(int x) { return 2 * x; }
int negative(int x) { return -x; }

static int (*choose(int which))(int) { return which ? twice : negative; }
static int apply(unary f, int x) { return f(x); }
static int both(int f(int), int g(int), int x) { return f(g(x)); }
static void set(unary **where, unary *f) { *where = f; }

int main(void)
{
    unary *f = choose(1);
    int (*open)() = negative;
    int (*const fixed)(int) = twice;
    assert(apply(f, 3) == 6 && choose(0)(3) == -3 && both(twice, negative, 1) == -2);
    set(&f, negative);
    assert(f(1) == -1 && open(2) == -2 && fixed(4) == 8);
    return 0;
}
