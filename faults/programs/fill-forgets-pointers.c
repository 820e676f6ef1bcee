#include <assert.h>
#include <string.h>

struct n { int v; struct n *next; };

/*@ requires \forall struct n *v; reach(next, v, NULL); */
void f(struct n *p, struct n *q) {
    if (p && q && p->next == q) {
        memset(p, 0, sizeof *p);
        assert(p->next == q);
    }
}
