// Copies and fills of parts and wholes.
// test: --engine pdr-forall
// expect: moved verified
// expect: moved_bug violated assertion
// expect: nested verified
// expect: nested_short violated uninit
// expect: ones verified
// expect: ones_bug violated assertion
// expect: padded verified
// expect: freed violated use-after-free
// expect: freed_floats violated use-after-free
// expect: half_pointer unsupported

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct node { struct node *next; int data; };
struct two { struct node *a, *b; };
struct in { int a; struct node *p; };
struct out { int k; struct in i; };
struct count { unsigned n; int m; };
struct padded { char c; long l; };
struct floats { double a, b; };

void moved(void)
{
    struct node x, y;
    struct two t = { &x, &y };
    memcpy(&t.a, &t.b, sizeof t.a);
    assert(t.a == &y && t.b == &y);
}

void moved_bug(void)
{
    struct node x, y;
    struct two t = { &x, &y };
    memcpy(&t.a, &t.b, sizeof t.a);
    assert(t.a == &x); // BUG moved_bug
}

void nested(void)
{
    struct node n;
    struct out x, y;
    x.k = 1;
    x.i.a = 2;
    x.i.p = &n;
    memcpy(&y, &x, sizeof y);
    assert(y.k == 1 && y.i.a == 2 && y.i.p == &n);
}

void nested_short(void)
{
    struct node n;
    struct out x, y;
    x.k = 1;
    x.i.a = 2;
    x.i.p = &n;
    memcpy(&y, &x, offsetof(struct out, i.p));
    if (y.i.p == &n) // BUG nested_short
        return;
}

void ones(void)
{
    struct count c;
    memset(&c, 0xff, sizeof c);
    assert(c.m == -1 && c.n == 0xffffffffu);
}

void ones_bug(void)
{
    struct count c;
    memset(&c, 0xff, sizeof c);
    assert(c.m == 0xff); // BUG ones_bug
}

void padded(void)
{
    struct padded a, b;
    a.c = 1;
    a.l = 2;
    b = a;
    assert(b.c == 1 && b.l == 2);
}

void freed(void)
{
    struct node *n = malloc(sizeof *n);
    free(n);
    memset(n, 0, sizeof *n); // BUG freed
}

void freed_floats(void)
{
    struct floats *n = malloc(sizeof *n);
    free(n);
    memset(n, 0, sizeof *n); // BUG freed_floats
}

void half_pointer(void)
{
    struct node x, y;
    struct two t = { &x, &y };
    memcpy(&t.a, &t.b, 4);
    t.a->data = 3;
}
