#include <assert.h>
#include <stdlib.h>

struct n { int v; struct n *next; };
extern int __VERIFIER_nondet_int(void);

/*@ requires \forall struct n *v; reach(next, v, NULL); */
void f(struct n *a) {
    if (a && a->next == NULL) {
        a->next = a;
        while (__VERIFIER_nondet_int()) {
        }
        assert(0);
    }
}
