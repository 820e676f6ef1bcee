#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
struct t { struct t *l, *r; };

/*@ requires tree(l, r, a);
    ensures \forall struct t *v; v == NULL ==> reach({l, r}, a, v); */
void f(struct t *a) {
}
