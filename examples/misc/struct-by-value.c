// Structs as arguments, results and members.
// expect: main safe

#include <assert.h>

typedef struct { int x, y; } point;
typedef struct { point lo, hi; } box;

static point shift(point p, int d)
{
    p.x += d;
    p.y += d;
    return p;
}

static box around(point p)
{
    box b;
    b.lo = shift(p, -1);
    b.hi = shift(p, 1);
    return b;
}

int main(void)
{
    point p = { 3, 4 };
    box b = around(p), c = b;

    c.lo.x = 99;
    assert(p.x == 3 && p.y == 4);
    assert(b.lo.x == 2 && b.hi.y == 5);
    assert(c.hi.x - b.lo.x == 2);
    return 0;
}
