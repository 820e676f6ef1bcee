#include <stdlib.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct e { struct e *next; int k; };

static void insert(struct e **pp, int k)
{
    struct e *n;
    while (*pp && (*pp)->k < k)
        pp = &(*pp)->next;
    n = malloc(sizeof *n);
    if (!n)
        abort();
    n->k = k;
    n->next = *pp ? (*pp)->next : NULL;
    *pp = n; // BUG
}

int main(void)
{
    struct e *list = NULL, *e;
    while (__VERIFIER_nondet_int())
        insert(&list, __VERIFIER_nondet_int());
    while ((e = list) != NULL) {
        assert(!e->next || e->k <= e->next->k);
        list = e->next;
        free(e);
    }
    return 0; // BUG
}
