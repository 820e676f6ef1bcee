#include <stdlib.h>

struct pair { int a; int b; };

void f(void) {
    void *p = malloc(4);
    struct pair *a = p;
    a->b = 1;
    free(p);
}
