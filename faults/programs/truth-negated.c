#include <assert.h>

void f(void) {
    int i = 1;
    if (i)
        assert(i == 2);
}
