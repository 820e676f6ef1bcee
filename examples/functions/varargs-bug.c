// An argument is taken that was not passed: the list has no end.
// expect: run violated bounds
#include <stdarg.h>
#include <stddef.h>

static int count(const char *first, ...)
{
    va_list ap;
    int n = 0;
    va_start(ap, first);
    for (const char *s = first; s; s = va_arg(ap, const char *)) n++; // BUG
    va_end(ap);
    return n;
}

int run(void)
{
    return count("a", "b");
}

int main(void)
{
    return run();
}
