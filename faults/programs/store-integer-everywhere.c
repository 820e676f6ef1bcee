#include <assert.h>

struct pair { int a; int b; };

void f(struct pair *p, struct pair *q) {
    if (p && q) {
        p->a = 1;
        assert(q->a == 1);
    }
}
