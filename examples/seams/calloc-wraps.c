// `calloc` fails where the product of its arguments does not fit; it does not return less.
// test: --engine explore
// expect: constants unsupported
// expect: values unsupported
// expect: small safe

#include <stdlib.h>

void constants(void)
{
    long *p = calloc(1ul << 61, 8);
    if (p != NULL)
        p[0] = 1;
    free(p);
}

void values(void)
{
    size_t n = 1ul << 61;
    long *p = calloc(n, 8);
    if (p != NULL)
        p[0] = 1;
    free(p);
}

void small(void)
{
    size_t n = 2;
    long *p = calloc(n, 8);
    p[1] = 1;
    free(p);
}
