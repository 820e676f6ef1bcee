#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
struct t { struct t *l, *r; };

/*@ requires tree(l, r, a) && a != NULL && a->l != NULL; */
void f(struct t *a) {
    struct t *c = a->l;
    free(a);
    while (__VERIFIER_nondet_int()) {
    }
    c->l = NULL;
    assert(0);
}
