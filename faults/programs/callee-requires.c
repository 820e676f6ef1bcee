#include <stdlib.h>

struct pair { int a; int b; };

/*@ requires p != NULL; */
static void g(struct pair *p) {
}

void f(struct pair *p) {
    g(p);
}
