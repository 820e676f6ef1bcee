// memmove allows places that overlap; memcpy allows one and the same, and neighbours.
// expect: main safe

#include <assert.h>
#include <string.h>

int main(void)
{
    int a[4] = { 1, 2, 3, 4 };

    memmove(a, a + 1, 3 * sizeof *a);
    assert(a[0] == 2 && a[2] == 4);
    memcpy(a, a, sizeof a);
    memcpy(a, a + 2, 2 * sizeof *a);
    assert(a[0] == 4);
    return 0;
}
