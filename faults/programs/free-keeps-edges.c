#include <stdlib.h>

struct n { int v; struct n *next; };

/*@ requires \forall struct n *v; reach(next, v, NULL); */
void f(struct n *h, struct n *x, struct n *t) {
    if (h && x && t && h->next == x && x->next == t) {
        free(x);
        //@ assert reach(next, h, t);
    }
}
