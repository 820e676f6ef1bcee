// Integers only: the greatest common divisor.
// test: --int-values 0,1,2,3,4,6
// expect: gcd safe

/*@ requires a >= 0 && b >= 0 && a + b > 0;
    assigns  \nothing;
    ensures  \result > 0;
    ensures  a % \result == 0 && b % \result == 0; */
int gcd(int a, int b)
{
    while (b != 0) {
        int r = a % b;
        a = b;
        b = r;
    }
    return a;
}
