// The callee stores the address of its own parameter, which dies with the call.
// expect: main violated use-after-free

#include <assert.h>

struct box { int *p; };

static int *pick(int *a, int *b, int first) { return first ? a : b; }

static void fill(struct box *b, int v)
{
    b->p = &v;
}

int main(void)
{
    int x = 1, y = 2;
    struct box b;
    fill(&b, *pick(&x, &y, 0));
    *b.p = 5; // BUG
    return 0;
}
