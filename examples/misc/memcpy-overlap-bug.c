// Shifting the front of an array with memcpy; memmove would be right.
// expect: main violated overlap

#include <string.h>

int main(void)
{
    int a[4] = { 1, 2, 3, 4 };

    memcpy(a, a + 1, 3 * sizeof *a); // BUG
    return a[0];
}
