#include <stdlib.h>

struct n { int v; struct n *next; };

/*@ requires \forall struct n *v; reach(next, v, NULL); */
void f(struct n *a, struct n *b, struct n *c) {
    if (a != b) {
        //@ assert \separated(a, b, c);
    }
}
