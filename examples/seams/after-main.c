// A function may run after `main`.
// test: --engine explore
// expect: main unsupported

#include <assert.h>

int done;

static void end(void) __attribute__((destructor));

static void end(void)
{
    assert(done == 0);
}

int main(void)
{
    done = 1;
    return 0;
}
