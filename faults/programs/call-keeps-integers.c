#include <assert.h>
#include <stddef.h>

struct t { int k; struct t *l, *r; };

/*@ requires tree(l, r, a); */
void f(struct t *a) {
    if (a == NULL)
        return;
    if (a->l != NULL) {
        a->l->k = 2;
        f(a->l);
        assert(a->l->k == 2);
    }
    a->k = 1;
}
