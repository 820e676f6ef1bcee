// Elements that compare equal may end in any order.
// expect: run violated assertion
#include <assert.h>
#include <stdlib.h>

struct item { int key, value; };

static int by_key(const void *a, const void *b)
{
    return ((const struct item *)a)->key - ((const struct item *)b)->key;
}

int run(void)
{
    struct item all[] = { { 1, 1 }, { 1, 2 } };
    qsort(all, 2, sizeof all[0], by_key);
    assert(all[0].key == all[1].key);
    assert(all[0].value == 1); // BUG
    return 0;
}

int main(void)
{
    return run();
}
