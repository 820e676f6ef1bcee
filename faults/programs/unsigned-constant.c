#include <assert.h>

extern int __VERIFIER_nondet_int(void);

void f(void) {
    unsigned long u = ~0ul;
    while (__VERIFIER_nondet_int()) {
    }
    assert(u < 5);
}
