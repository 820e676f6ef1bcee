#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
struct t { struct t *l, *r; };

/*@ requires tree(l, r, a) && a != NULL && a->l != NULL; */
void f(struct t *a) {
    struct t *x = a, *y = __VERIFIER_nondet_int() ? a : a->l, *c = a->l;
    a->l = NULL;
    y->r = NULL;
    x->r = c;
    y->r = NULL;
    while (__VERIFIER_nondet_int()) {
    }
    assert(a->r != NULL);
}
