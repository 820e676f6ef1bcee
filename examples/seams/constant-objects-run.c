// The machine does not write to constant objects either.
// expect: table safe
// expect: write_table unsupported
// expect: write_text unsupported

#include <assert.h>

static const int squares[3] = { 0, 1, 4 };

void table(void)
{
    assert(squares[2] == 4);
}

void write_table(void)
{
    int *p = (int *)squares;
    p[1] = 5;
}

void write_text(void)
{
    char *text = "ab";
    text[0] = 'c';
}
