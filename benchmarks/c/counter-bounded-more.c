#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

typedef struct s { struct s *n; } S;

int main(void)
{
    int n = __VERIFIER_nondet_int(), i;
    S *s = NULL;

    __VERIFIER_assume(n >= 0 && n < 10);
    for (i = 0; i < n; ++i) {
        S *t = malloc(sizeof(S));
        if (!t)
            abort();
        t->n = s;
        s = t;
    }
    for (i = n; i >= 0; --i) {
        S *t = s;
        assert(t); // BUG
        s = t->n;
        free(t);
    }
    assert(!s);
    return 0;
}
