// A member that was never written is called.
// expect: main violated uninit
#include <stdlib.h>

struct handler { void (*run)(void); };

static void nothing(void) {}

int main(void)
{
    struct handler *h = malloc(sizeof *h);
    void (*f)(void) = nothing;
    if (!h) return 1;
    f();
    h->run(); // BUG
    free(h);
    return 0;
}
