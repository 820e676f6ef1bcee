#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
struct t { struct t *l, *r; };

/*@ requires tree(l, r, a) && a != NULL && a->l != NULL && a->r != NULL;
    ensures tree(l, r, a); */
void f(struct t *a) {
    a->l = a->r;
}
