// How strings compare is told by a sign alone, also by what returns it or is called through a pointer.
// expect: returned violated assertion
// expect: pointed violated assertion
#include <assert.h>
#include <string.h>

static int compare(const char *a, const char *b) { return strcmp(a, b); }

void returned(void)
{
    assert(compare("b", "a") == 1); // BUG
}

void pointed(void)
{
    int (*f)(const char *, const char *) = strcmp;
    assert(f("b", "a") == 1); // BUG
}

int main(void)
{
    returned();
    pointed();
    return 0;
}
