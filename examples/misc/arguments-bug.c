// The second argument, if there is one, may be empty.
// expect: main violated assertion

#include <assert.h>

int main(int argc, char **argv)
{
    if (argc > 1)
        assert(argv[1][0] != 0); // BUG
    return 0;
}
