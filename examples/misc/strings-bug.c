// No room for the terminating zero.
// expect: main violated bounds

#include <assert.h>

static int length(const char *s)
{
    int n = 0;
    while (*s++)
        n++;
    return n;
}

static void copy(char *dst, const char *src)
{
    while ((*dst++ = *src++) != '\0') // BUG
        ;
}

int main(void)
{
    char buf[3];
    copy(buf, "abc");
    assert(length(buf) == 3);
    assert(buf[0] == 'a' && buf[2] == 'c');
    return 0;
}
