#include <assert.h>

void f(int i) {
    unsigned long u = i;
    if (i < 0)
        assert(u < 5);
}
