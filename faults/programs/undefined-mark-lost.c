#include <stdlib.h>

struct pair { int a; int b; };

int f(void) {
    struct pair *p = malloc(sizeof *p);
    int r = p->a != 0;
    free(p);
    if (r)
        return 1;
    return 0;
}
