// What bsearch does not find is null.
// expect: main violated null-deref
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    int all[] = { 1, 3, 5 }, key = 4;
    int *found = bsearch(&key, all, 3, sizeof all[0], compare);
    return *found; // BUG
}
