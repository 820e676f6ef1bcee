#include <assert.h>
#include <stdlib.h>

extern unsigned int __VERIFIER_nondet_uint(void);

typedef struct link { struct link *rest; } link;

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), i, m = 0;
    link *l = NULL, *p;

    for (i = 0; i < n; i++) {
        p = malloc(sizeof *p);
        if (p == NULL)
            return 1;
        p->rest = l;
        l = p;
    }
    for (p = l; p != NULL; p = p->rest)
        m++;
    assert(m == n);
    for (i = 0; i <= n; i++) {
        p = l->rest; // BUG
        free(l);
        l = p;
    }
    assert(l == NULL);
    return 0;
}
