// A buffer of four bytes is given eight.
// expect: main violated bounds

#include <stdio.h>

int main(void)
{
    char buffer[4];
    return (int)fread(buffer, 1, 8, stdin); // BUG main
}
