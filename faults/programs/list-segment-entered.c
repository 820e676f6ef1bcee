#include <stdlib.h>

struct n { int v; struct n *next; };

/*@ requires \forall struct n *v; reach(next, v, NULL); */
void f(struct n *a, struct n *b) {
    if (a && b && a != b) {
        //@ assert ls(next, a, NULL);
    }
}
