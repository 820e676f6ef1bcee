// A bug that needs more choices than a search of all executions makes: random ones get there.
// expect: main violated assertion
// expect[explore]: main violated assertion

#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void)
{
    int i, sum = 0;

    for (i = 0; i < 14; i++)
        if (__VERIFIER_nondet_int() > 0)
            sum++;
    assert(sum < 9); // BUG main
    return 0;
}
