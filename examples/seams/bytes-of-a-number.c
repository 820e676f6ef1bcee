// A pointer to a byte may lead into a number.
// test: --engine proveit
// expect: overwritten unknown unsupported

#include <assert.h>

//@ requires x != NULL && y != NULL && (void *)x != (void *)y;
void overwritten(unsigned char *x, int *y)
{
    *y = 0;
    *x = 1;
    assert(*y == 0);
}
