// A character can be a byte of anything, so writing one disturbs what is read beside it.
// expect: main unsupported

#include <assert.h>

int level = 1;

static int clear(unsigned char *byte)
{
    *byte = 0;
    return 0;
}

int main(void)
{
    int sum = clear((unsigned char *)&level) + level;
    assert(sum == 0);
    return 0;
}
