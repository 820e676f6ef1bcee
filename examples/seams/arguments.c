// The arguments of a program are what a host passes: a null pointer stands behind the strings.
// expect: main safe

#include <assert.h>

int main(int argc, char **argv)
{
    assert(argc >= 0);
    assert(argv[argc] == 0);
    return 0;
}
