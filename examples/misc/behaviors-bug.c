// Two cases are mixed up in clamp; the lookup forgets its default.
// expect: clamp violated postcondition
// expect: value_or violated null-deref

#include <stddef.h>

struct opt { int v; };

/*@ requires lo <= hi;
    assigns  \nothing;
    behavior below:  assumes x < lo;        ensures \result == lo;
    behavior inside: assumes lo <= x <= hi; ensures \result == x; // BUG
*/
int clamp(int x, int lo, int hi)
{
    return x < lo ? lo : x > hi ? x : hi;
}

/*@ assigns \nothing;
    behavior some: assumes o != NULL; ensures o->v != 0 ==> \result == o->v;
    behavior none: assumes o == NULL; ensures \result == dflt; */
int value_or(const struct opt *o, int dflt)
{
    return o->v ? o->v : dflt; // BUG
}
