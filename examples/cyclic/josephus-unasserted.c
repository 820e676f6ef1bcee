// Josephus without its last assertion: whether every man has his number is data, of which list
// engines do not know whether it was ever written. Where nothing is asserted of it, that it may be
// undefined is said with its place.
// test: --no-check assertion
// expect[canonical]: main unknown unsupported

#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct man { int id; struct man *left; };

static struct man *circle(int n)
{
    struct man *first = malloc(sizeof *first), *last = first;
    int i;

    first->id = 1;
    for (i = 2; i <= n; i++) {
        last->left = malloc(sizeof *last);
        last = last->left;
        last->id = i;
    }
    last->left = first;
    return first;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    struct man *m;

    if (n < 1 || n > 3)
        return 0;
    m = circle(n);
    while (m->left != m) {
        struct man *out = m->left;
        m->left = out->left;
        free(out);
        m = m->left;
    }
    assert(m->id == (n == 3 ? 3 : 1));
    free(m);
    return 0;
}
