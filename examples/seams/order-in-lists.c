// The values of an initialiser are evaluated in any order, and while they are, the object has no
// value yet. A value for several elements is evaluated once.
// test: --engine explore
// expect: calls unsupported
// expect: members unsupported
// expect: nested unsupported
// expect: literal unsupported
// expect: itself unsupported
// expect: repeated unsupported
// expect: overwritten unsupported
// expect: through_pointer unsupported
// expect: reads safe
// expect: pointers safe
// expect: new_memory safe
// expect: to_itself safe

#include <assert.h>
#include <stdlib.h>

struct pair { int a, b; };
struct ring { struct ring *next; int value; };

static int count;

static int next(void)
{
    return count++;
}

void calls(void)
{
    count = 0;
    int a[2] = {next(), next()};
    assert(a[0] == 0);
}

void members(int i)
{
    i = 0;
    struct pair x = {i++, i};
    assert(x.b == 1);
}

void nested(void)
{
    count = 0;
    struct pair x[2] = {{1, count}, {next(), 2}};
    assert(x[0].b == 0);
}

static int sum(struct pair p)
{
    return p.a - p.b;
}

void literal(void)
{
    count = 0;
    assert(sum((struct pair){next(), next()}) == -1);
}

void itself(void)
{
    int a[3] = {1, a[0]};
    assert(a[1] == 1);
}

void repeated(void)
{
    count = 0;
    int a[3] = {[0 ... 2] = next()};
    assert(a[2] == 2);
}

void overwritten(void)
{
    count = 0;
    int a[2] = {[0] = next(), [0] = 5};
    assert(count == 1);
}

static int set(int *p)
{
    *p = 3;
    return 1;
}

void through_pointer(void)
{
    int x = 0;
    int a[2] = {x, set(&x)};
    assert(a[0] == 0);
}

static int size(struct ring *r)
{
    return r == NULL ? 0 : 1 + size(r->next);
}

void reads(struct pair *p)
{
    struct ring r = {NULL, 1};
    int a[4] = {size(&r), size(&r), r.value, p == NULL ? 1 : p->a - p->a + 1};
    assert(a[0] == a[1] && a[2] == a[3]);
}

void pointers(struct ring *r)
{
    if (r == NULL)
        return;
    struct pair x = {r->value, r->value};
    struct ring s = {r->next, r->value};
    assert(x.a == x.b && s.next == r->next);
}

static struct ring *make(int value)
{
    struct ring *r = malloc(sizeof *r);
    r->next = NULL;
    r->value = value;
    return r;
}

void new_memory(void)
{
    struct ring *both[2] = {make(1), make(2)};
    assert(both[0]->value == 1 && both[1]->value == 2);
    free(both[0]);
    free(both[1]);
}

void to_itself(void)
{
    struct ring r = {&r, next()};
    assert(r.next == &r);
}
