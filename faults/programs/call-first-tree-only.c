#include <assert.h>
#include <stddef.h>

struct t { int k; struct t *l, *r; };

/*@ requires tree(l, r, a) && tree(l, r, b);
    requires \forall struct t *v; !(reach({l, r}, a, v) && reach({l, r}, b, v)); */
void f(struct t *a, struct t *b) {
    if (a == NULL || b == NULL)
        return;
    b->k = 2;
    a->k = 2;
    if (a->l != NULL && a->r != NULL) {
        a->l->k = 1;
        a->r->k = 1;
        f(a->l, a->r);
        assert(a->l->k == 1);
        assert(a->r->k == 1);
    }
}
