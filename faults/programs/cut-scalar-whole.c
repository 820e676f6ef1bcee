#include <assert.h>
#include <string.h>

struct pair { int a; int b; };

void f(struct pair *p) {
    if (p) {
        p->a = 0x20000;
        memset(p, 0, 2);
        assert(p->a == 0);
    }
}
