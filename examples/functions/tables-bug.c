// A table without the operation that is looked for: null is called.
// expect: run violated null-deref
#include <stddef.h>

typedef int (*binop)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }

static const struct op { int code; binop f; } ops[] = { { '+', add }, { '-', sub } };

static binop find(int code)
{
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        if (ops[i].code == code) return ops[i].f;
    return NULL;
}

int run(void)
{
    return find('*')(2, 3); // BUG
}

int main(void)
{
    return run();
}
