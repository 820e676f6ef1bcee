// Tables of operations: constant ones, arrays of handlers, every way to write a call, comparisons.
// expect: main safe
#include <assert.h>
#include <stddef.h>
#include <string.h>

typedef int (*binop)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

struct op {
    const char *name;
    binop f;
};

static const struct op ops[] = { { "add", add }, { "sub", sub }, { "mul", &mul } };

static binop find(const char *name)
{
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        if (strcmp(ops[i].name, name) == 0) return ops[i].f;
    return NULL;
}

int main(void)
{
    binop f = find("mul"), table[3] = { add, &sub, mul };
    assert(f && f != NULL && f == mul && f != add && table[2] == f);
    assert(f(3, 4) == 12 && (*f)(3, 4) == 12 && (**f)(3, 4) == 12 && (&*f)(3, 4) == 12);
    assert(ops[0].f(1, 2) == 3 && table[1](5, 2) == 3 && (*table)(1, 1) == 2);
    assert((f ? f : add)(2, 5) == 10 && (&add)(1, 1) == 2 && (*add)(1, 1) == 2);
    f = find("div");
    assert(!f);
    return 0;
}
