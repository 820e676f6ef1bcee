#include <assert.h>

struct n { int v; struct n *next; };

/*@ requires \forall struct n *v; reach(next, v, NULL);
    requires \forall struct n *v; reach(next, v, a) ==> v == a; */
void f(struct n *a) {
    if (a) {
        struct n *t = a->next;
        assert(t == a);
    }
}
