// A function that reports errors is given no text to report.
// expect: run violated null-deref
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void die(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vfprintf(stderr, format, ap); // BUG
    va_end(ap);
    exit(1);
}

int run(void)
{
    const char *name = NULL;
    die("no such file: %s\n", name);
    return 0;
}

int main(void)
{
    return run();
}
