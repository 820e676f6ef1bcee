// What the C library and the compiler return is neither more nor less than they promise.
// test: --engine explore
// expect: random_index safe
// expect: random_zero violated assertion
// expect: character safe
// expect: end violated assertion
// expect: last violated assertion
// expect: constant violated null-deref
// expect: perhaps_constant violated assertion
// expect: perhaps_not violated assertion

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

void random_index(void)
{
    int a[3] = {1, 2, 3};
    assert(a[rand() % 3] > 0);
    assert(random() >= 0);
}

void random_zero(void)
{
    assert(rand() != 0); // BUG random_zero
}

void character(void)
{
    int c = getchar();
    assert(c >= -1 && c <= 255);
}

void end(void)
{
    assert(getchar() != EOF); // BUG end
}

void last(void)
{
    assert(getchar() != 255); // BUG last
}

void constant(void)
{
    int *p = NULL;
    if (__builtin_constant_p(3))
        *p = 1; // BUG constant
}

void perhaps_constant(int x)
{
    int known = __builtin_constant_p(x);
    assert(known); // BUG perhaps_constant
}

void perhaps_not(void)
{
    const int three = 3;
    int known = __builtin_constant_p(three);
    assert(!known); // BUG perhaps_not
}
