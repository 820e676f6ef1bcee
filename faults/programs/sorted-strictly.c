#include <assert.h>

struct n { int v; struct n *next; };

/*@ requires \forall struct n *v; reach(next, v, NULL);
    requires sorted(next, v, a, NULL); */
void f(struct n *a) {
    if (a && a->next && a->v == 5 && a->next->v == 5)
        assert(0);
}
