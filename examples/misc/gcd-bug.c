// The remainder is taken before the test.
// test: --int-values 0,1,2,3,4,6
// expect: gcd violated div-by-zero

/*@ requires a >= 0 && b >= 0 && a + b > 0;
    assigns  \nothing;
    ensures  \result > 0;
    ensures  a % \result == 0 && b % \result == 0; */
int gcd(int a, int b)
{
    int r;
    do {
        r = a % b; // BUG
        a = b;
        b = r;
    } while (r != 0);
    return a;
}
