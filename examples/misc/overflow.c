// The middle of an interval, without overflow.
// test: --check overflow --int-values 0,1,2147483646,2147483647
// expect: middle safe

/*@ requires 0 <= lo <= hi;
    assigns  \nothing;
    ensures  lo <= \result <= hi; */
int middle(int lo, int hi)
{
    return lo + (hi - lo) / 2;
}
