// A function may run before `main`, wherever its attribute stands.
// test: --engine explore
// expect: main unsupported

#include <assert.h>

int ready;

__attribute__((constructor)) static void start(void)
{
    ready = 1;
}

int main(void)
{
    assert(ready == 0);
    return 0;
}
