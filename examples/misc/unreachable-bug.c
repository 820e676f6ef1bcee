// A promise to the compiler that callers can break.
// expect: sign violated unreachable

int sign(int x)
{
    if (x > 0)
        return 1;
    if (x < 0)
        return -1;
    __builtin_unreachable(); // BUG
}
