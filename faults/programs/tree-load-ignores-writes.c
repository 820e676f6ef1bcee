#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
struct t { struct t *l, *r; };

/*@ requires a != NULL && b != NULL && a->r == NULL && tree(l, r, a) && tree(l, r, b);
    requires \forall struct t *v; !(reach({l, r}, a, v) && reach({l, r}, b, v)); */
void f(struct t *a, struct t *b) {
    struct t *x = a, *y = a, *z = NULL;
    while (__VERIFIER_nondet_int()) {
    }
    x->r = NULL;
    y->r = b;
    z = x->r;
    y->r = NULL;
    assert(z == NULL);
}
