#include <stdlib.h>

struct n { int v; struct n *next; };

/*@ requires \forall struct n *v; reach(next, v, NULL);
    requires a != NULL;
    ensures a->v == \old(a->v); */
void f(struct n *a) {
    a->v = 7;
}
