// Recursion on integers: factorial and a pair of mutually recursive predicates.
// expect: main safe

#include <assert.h>

static int even(int n);

static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }

static int fact(int n)
{
    return n <= 1 ? 1 : n * fact(n - 1);
}

int main(void)
{
    assert(fact(5) == 120);
    assert(even(6) && odd(5) && !even(3));
    return 0;
}
