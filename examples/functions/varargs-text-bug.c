// A wrapper of snprintf hands on a format that does not fit its buffer, and the end is looked for
// behind it.
// expect: main violated bounds
#include <stdarg.h>
#include <stdio.h>

static int put(char *to, size_t size, const char *format, ...)
{
    va_list ap;
    int n;
    va_start(ap, format);
    n = vsnprintf(to, size, format, ap);
    va_end(ap);
    return n;
}

int main(void)
{
    char text[4];
    int n = put(text, sizeof text, "%s=%d", "key", 1);
    return text[n]; // BUG
}
