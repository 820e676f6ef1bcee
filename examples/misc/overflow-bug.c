// The textbook midpoint overflows for large bounds.
// test: --check overflow --int-values 0,1,2147483646,2147483647
// expect: middle violated overflow

/*@ requires 0 <= lo <= hi;
    assigns  \nothing;
*/
int middle(int lo, int hi)
{
    return (lo + hi) / 2; // BUG
}
