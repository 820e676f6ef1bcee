// A handler that takes an enumeration, which is a number without a sign, behind a pointer to one that
// takes an `int`.
// expect: main safe
#include <assert.h>

enum level { LOW, HIGH };
typedef int (*handler)(int);

static unsigned handle(enum level l) { return l == HIGH ? 4000000000u : 1u; }

int main(void)
{
    handler h = (handler)handle;
    assert(h(HIGH) == -294967296 && h(LOW) == 1);
    return 0;
}
