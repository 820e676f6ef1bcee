// All bits set is the largest unsigned integer, not minus one.
// expect: all_ones violated postcondition
// expect: huge violated null-deref

//@ ensures \result < 5; // BUG
unsigned long all_ones(void)
{
    return ~0ul;
}

//@ requires x > 9223372036854775807;
int huge(unsigned long x)
{
    int *p = 0;

    if (x == 0x8000000000000005ul)
        return *p; // BUG
    return 1;
}
