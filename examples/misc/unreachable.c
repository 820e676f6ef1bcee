// The same promise, kept by a precondition.
// expect: sign safe

//@ requires x != 0;
int sign(int x)
{
    if (x > 0)
        return 1;
    if (x < 0)
        return -1;
    __builtin_unreachable();
}
