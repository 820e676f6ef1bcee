// What is constant may be read.
// test: --engine pdr-forall
// expect: read_it verified

#include <stddef.h>

struct point { int x, y; };

static const struct point origin = { 1, 2 };

//@ requires p != NULL; ensures p->x == \result;
int read_it(struct point *p)
{
    p->x = origin.x;
    return p->x;
}
