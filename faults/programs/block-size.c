#include <string.h>

struct pair { int a; int b; };

void f(struct pair *p) {
    if (p)
        memset(p, 0, 16);
}
