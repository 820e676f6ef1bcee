// Josephus with the step in the wrong place: it follows the link of the man who is out.
// test: --int-values 0,1,2,3
// expect: main violated use-after-free

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
        m = out->left; // BUG
    }
    free(m);
    return 0;
}
