// What is constant may be read. What a write to it does is not defined, so nobody says *verified*.
// test: --engine pdr-forall
// expect: read_it verified
// expect: write_it unsupported
// expect: write_direct unsupported
// expect: fill_it unsupported

#include <stddef.h>
#include <string.h>

struct point { int x, y; };

static const struct point origin = { 1, 2 };

//@ requires p != NULL; ensures p->x == \result;
int read_it(struct point *p)
{
    p->x = origin.x;
    return p->x;
}

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
