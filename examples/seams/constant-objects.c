// What a write to a constant object does is not defined, so nobody says *verified*.
// test: --engine pdr-forall
// expect: write_it unsupported
// expect: write_direct unsupported
// expect: fill_it unsupported

#include <string.h>

struct point { int x, y; };

static const struct point origin = { 1, 2 };

void write_it(void)
{
    struct point *p = (struct point *)&origin;
    p->x = 2;
}

void write_direct(void)
{
    *(int *)&origin.x = 2;
}

void fill_it(void)
{
    memset((struct point *)&origin, 0, sizeof origin);
}
