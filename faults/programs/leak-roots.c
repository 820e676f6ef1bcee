#include <stdlib.h>

struct pair { int a; int b; };
extern int __VERIFIER_nondet_int(void);

void f(void) {
    struct pair *p = malloc(sizeof *p);
    while (__VERIFIER_nondet_int()) {
    }
    p->a = 1;
}
