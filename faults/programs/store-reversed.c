#include <assert.h>
#include <stdlib.h>

struct n { int v; struct n *next; };
extern int __VERIFIER_nondet_int(void);

/*@ requires \forall struct n *v; reach(next, v, NULL); */
void f(struct n *a, struct n *b) {
    if (a && b && a != b && a->next == NULL && b->next == NULL) {
        a->next = b;
        while (__VERIFIER_nondet_int()) {
        }
        assert(a->next == NULL);
    }
}
