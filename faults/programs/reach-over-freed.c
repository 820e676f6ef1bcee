#include <stdlib.h>

struct n { int v; struct n *next; };

/*@ requires \forall struct n *v; reach(next, v, NULL); */
void f(struct n *h, struct n *x) {
    if (h && x && h->next == x && x->next == NULL) {
        free(x);
        //@ assert reach(next, h, NULL);
    }
}
