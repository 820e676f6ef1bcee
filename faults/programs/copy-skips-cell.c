#include <assert.h>

struct pair { int a; int b; };

void f(struct pair *p, struct pair *q) {
    if (p && q && p->a == 1 && q->a == 2) {
        *p = *q;
        assert(p->a == 1);
    }
}
