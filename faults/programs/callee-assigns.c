#include <stdlib.h>

struct pair { int a; int b; };

/*@ assigns \nothing; */
static void g(struct pair *p) {
    if (p)
        p->a = 1;
}

void f(struct pair *p) {
    g(p);
}
