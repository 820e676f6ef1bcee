// Contracts by cases: clamp, and a lookup with a default.
// expect: clamp safe
// expect: value_or safe

#include <stddef.h>

struct opt { int v; };

/*@ requires lo <= hi;
    assigns  \nothing;
    behavior below:  assumes x < lo;        ensures \result == lo;
    behavior above:  assumes x > hi;        ensures \result == hi;
    behavior inside: assumes lo <= x <= hi; ensures \result == x; */
int clamp(int x, int lo, int hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/*@ assigns \nothing;
    behavior some: assumes o != NULL; ensures \result == o->v;
    behavior none: assumes o == NULL; ensures \result == dflt; */
int value_or(const struct opt *o, int dflt)
{
    return o ? o->v : dflt;
}
