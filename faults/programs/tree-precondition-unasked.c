#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
struct t { struct t *l, *r; };

/*@ requires a != NULL && a->l != NULL && a->r != NULL && (tree(l, r, a) || a->l == a->r); */
void f(struct t *a) {
    struct t *x = a->l, *y = a->r;
    assert(x != y);
}
