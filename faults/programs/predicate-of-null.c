#include <stdlib.h>

struct n { int v; struct n *next; };

//@ predicate C(struct n *v);

/*@ requires \forall struct n *v; reach(next, v, NULL); */
void f(struct n *a) {
    //@ assert C(NULL);
}
