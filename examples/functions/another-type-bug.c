// A function of two parameters behind a pointer to a function of one: nobody knows what the second
// one would be.
// expect: main violated bad-call
#include <stddef.h>

typedef int (*one)(int);

static int sum(int a, int b) { return a + b; }

int main(void)
{
    one f = (one)sum;
    return f(1); // BUG
}
