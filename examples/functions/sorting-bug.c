// One element more is sorted than there is; the comparator is the first to see it.
// expect: main violated bounds
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y); // BUG
}

int main(void)
{
    int *a = malloc(2 * sizeof *a);
    if (!a) return 1;
    a[0] = 2;
    a[1] = 1;
    qsort(a, 3, sizeof *a, compare);
    free(a);
    return 0;
}
