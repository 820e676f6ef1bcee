#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct list { struct list *next; } list;

static unsigned length(const list *l)
{
    return l == NULL ? 0u : 1u + length(l->next);
}

int main(void)
{
    list *l = NULL;
    unsigned n = 0;
    while (__VERIFIER_nondet_int()) {
        list *x = malloc(sizeof *x);
        if (x == NULL)
            abort();
        x->next = l;
        l = x;
        n++;
    }
    assert(length(l) == n);
    while (l != NULL) {
        list *x = l->next;
        free(l);
        l = x;
    }
    return 0;
}
