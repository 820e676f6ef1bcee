#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct c { struct c *d; int serial; };
static struct c *in, *out;

static void put(int serial)
{
    struct c *x = malloc(sizeof *x);
    if (!x)
        abort();
    x->serial = serial;
    x->d = in;
    in = x;
}

static int get(void)
{
    struct c *x;
    int serial;
    if (!out) {
        while (in) {
            x = in;
            in = x->d;
            x->d = out;
            out = x;
        }
    }
    if (!out)
        return -1;
    x = out;
    out = x->d;
    serial = x->serial;
    free(x);
    return serial;
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            put(0);
        else {
            int got = get();
            assert(got == 0 || got == -1);
        }
    }
    while (get() >= 0)
        ;
    assert(!in && !out);
    return 0;
}
