#include <assert.h>
#include <stdlib.h>

struct pair { int a; int b; };
struct other { int x; int y; };

void f(void) {
    void *p = malloc(sizeof(struct pair));
    struct pair *a = p;
    struct other *b = p;
    a->a = 1;
    b->y = 2;
    assert(0);
}
