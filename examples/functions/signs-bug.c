// How strings compare is told by a sign alone, also by what returns it or is called through a pointer.
// expect: main violated assertion
// expect: other violated assertion
#include <assert.h>
#include <string.h>

static int compare(const char *a, const char *b) { return strcmp(a, b); }

int main(void)
{
    assert(compare("b", "a") == 1); // BUG
    return 0;
}

void other(void)
{
    int (*f)(const char *, const char *) = strcmp;
    assert(f("b", "a") == 1); // BUG
}
