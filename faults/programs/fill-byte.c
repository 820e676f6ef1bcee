#include <assert.h>
#include <string.h>

struct pair { int a; int b; };

void f(struct pair *p) {
    if (p) {
        memset(p, 1, sizeof *p);
        assert(p->a == 1);
    }
}
