#include <stdlib.h>

struct pair { int a; int b; };

void f(void) {
    struct pair *p = malloc(sizeof *p);
}
