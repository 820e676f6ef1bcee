#include <assert.h>


void f(void) {
    unsigned long u = ~0ul;
    assert(u < 5);
}
