#include <stdlib.h>

struct n { int v; struct n *next; };

/*@ requires \forall struct n *v; reach(next, v, NULL); */
void f(struct n *a) {
    if (a) {
        struct n *b = a->next;
        //@ assert \subset(content(next, a), content(next, b));
    }
}
