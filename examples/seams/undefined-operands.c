// An operation fails if it may fail with some value of an operand that was never written.
// test: --engine explore --check overflow
// expect: divisor violated div-by-zero
// expect: remainder violated div-by-zero
// expect: heap violated div-by-zero
// expect: least violated div-by-zero
// expect: sum violated overflow
// expect: opposite violated overflow
// expect: amount violated overflow
// expect: half safe
// expect: unsigned_sum safe

#include <stdlib.h>

void divisor(void)
{
    int z;
    int y = 10 / z; // BUG
    (void)y;
}

void remainder(void)
{
    unsigned z;
    unsigned y = 10 % z; // BUG
    (void)y;
}

int heap(void)
{
    int *p = malloc(sizeof *p);
    int y = 10 / *p; // BUG
    free(p);
    return y;
}

void least(void)
{
    int x;
    int y = x / -1; // BUG
    (void)y;
}

void sum(void)
{
    int x;
    int y = x + 1; // BUG
    (void)y;
}

void opposite(void)
{
    int x;
    int y = -x; // BUG
    (void)y;
}

void amount(void)
{
    int k;
    int y = 1 << k; // BUG
    (void)y;
}

void half(void)
{
    int x;
    int y = x / 2;
    (void)y;
}

void unsigned_sum(void)
{
    unsigned x;
    unsigned y = x + 1;
    (void)y;
}
