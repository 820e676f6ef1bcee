#include <stdlib.h>

struct n { int v; struct n *next; };

/*@ requires \forall struct n *v; reach(next, v, NULL); */
void f(struct n *a) {
    if (a && a->next == NULL) {
        free(a);
        //@ assert stable(next, a);
    }
}
