// options: --no-check leak
#include <assert.h>
#include <stdlib.h>

struct n { int v; struct n *next; };

/*@ requires \forall struct n *v; reach(next, v, NULL); */
void f(struct n *a, struct n *b, struct n *q) {
    if (a && b && q && a->next == q) {
        b->next = NULL;
        assert(a->next == q);
    }
}
