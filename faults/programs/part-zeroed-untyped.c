#include <stdlib.h>
#include <string.h>

struct pair { int a; int b; };

int f(void) {
    void *p = malloc(8);
    memset(p, 0, 4);
    struct pair *a = p;
    int r = a->b == 0;
    free(p);
    return r;
}
