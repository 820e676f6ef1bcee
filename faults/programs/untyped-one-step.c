#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
struct holder { void *p; };

void f(void) {
    struct holder a, b, c;
    c.p = NULL;
    b.p = &c;
    a.p = &b;
    while (__VERIFIER_nondet_int()) {
    }
    assert(0);
}
