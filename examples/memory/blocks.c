// memset, memcpy and struct assignment: whole objects are followed, and their places are checked.
// test: --engine pdr-forall --assume nothing
// expect: clear verified
// expect: duplicate verified
// expect: too_much violated bounds
// expect: only_floats violated null-deref
// expect: half_written violated uninit

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct pair { int a, b; };
struct point { double x; int tag; };

struct pair *clear(void)
{
    struct pair *p = malloc(sizeof *p);
    memset(p, 0, sizeof *p);
    assert(p->a == 0 && p->b == 0);
    return p;
}

/*@ requires p != NULL && q != NULL; ensures p->a == q->a && p->b == q->b; */
void duplicate(struct pair *p, struct pair *q)
{
    memcpy(p, q, sizeof *p);
}

/*@ requires p != NULL; */
void too_much(struct pair *p)
{
    memset(p, 0, sizeof *p + 8); // BUG too_much
}

void only_floats(struct point *p)
{
    memset(p, 0, sizeof p->x); // BUG only_floats
}

int half_written(void)
{
    struct pair x, y;
    x.a = 1;
    y = x;
    if (y.b) // BUG half_written
        return 1;
    return 0;
}
