#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
struct t { struct t *l, *r; };

/*@ requires tree(l, r, a) && a != NULL; */
void f(struct t *a) {
    struct t *x = a->l, *y = a->l, *z;
    if (x == NULL)
        return;
    if (__VERIFIER_nondet_int())
        y = a->r;
    if (y == NULL)
        return;
    x->r = a->r;
    z = y->r;
    a->r = NULL;
    x->r = NULL;
    assert(x != y || z == NULL);
}
