// Functions that call themselves and each other through pointers.
// expect: main safe
#include <assert.h>

typedef int (*step)(int);

static int down(int n);
static step next = down;
static int down(int n) { return n <= 0 ? 0 : 1 + next(n - 1); }

struct walker { int (*visit)(struct walker *, int); int calls; };
static int visit(struct walker *w, int depth)
{
    w->calls++;
    int leaves = 0;
    if (depth == 0) return 1;
    for (int i = 0; i < 2; i++) leaves += w->visit(w, depth - 1);
    return leaves;
}

int main(void)
{
    struct walker w = { visit, 0 };
    assert(down(3) == 3);
    int leaves = w.visit(&w, 2);
    assert(leaves == 4 && w.calls == 7);
    return 0;
}
