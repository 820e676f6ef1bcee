// A record on the caller's stack is filled in by the callee.
// expect: main safe

#include <assert.h>

struct box { int *p; };

static int *pick(int *a, int *b, int first) { return first ? a : b; }

static void fill(struct box *b, int *v)
{
    b->p = v;
}

int main(void)
{
    int x = 1, y = 2;
    struct box b;
    fill(&b, pick(&x, &y, 0));
    *b.p = 5;
    assert(x == 1 && y == 5);
    return 0;
}
