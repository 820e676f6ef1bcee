#include <stdlib.h>

struct pair { int a; int b; };

void f(struct pair *p) {
    if (p) {
        free(p);
        free(p);
    }
}
