// Small character arrays: length and copy by hand.
// expect: main safe

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
    while ((*dst++ = *src++) != '\0')
        ;
}

int main(void)
{
    char buf[4];
    copy(buf, "abc");
    assert(length(buf) == 3);
    assert(buf[0] == 'a' && buf[2] == 'c' && buf[3] == 0);
    return 0;
}
