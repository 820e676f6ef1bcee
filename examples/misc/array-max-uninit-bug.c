// The last element is never read into the array, yet it is compared.
// expect: main violated uninit

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define N 3

int main(void)
{
    int a[N];
    int i, max;

    for (i = 0; i < N - 1; i++)
        a[i] = __VERIFIER_nondet_int();
    max = a[0];
    for (i = 1; i < N; i++)
        if (a[i] > max) // BUG
            max = a[i];
    for (i = 0; i < N; i++)
        assert(a[i] <= max);
    return 0;
}
