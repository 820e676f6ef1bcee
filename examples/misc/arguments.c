// So many arguments, and a null pointer behind them.
// expect: main safe

#include <assert.h>

int main(int argc, char **argv)
{
    int n = 0;

    while (argv[n])
        n++;
    assert(n == argc);
    return 0;
}
