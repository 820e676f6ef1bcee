#include <assert.h>
#include <string.h>

struct pair { int a; int b; };

void f(struct pair *p) {
    if (p) {
        p->a = 1;
        memset(p, 0, 2);
        assert(p->a == 1);
    }
}
