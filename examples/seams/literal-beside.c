// A string literal elsewhere in the file is no part of the heap that an invariant speaks of.
// expect[pdr-forall]: walk verified
// expect[pdr-predicates]: walk verified
// expect: name safe

#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int data; };

static const int table[2] = {1, 2};

void walk(void)
{
    struct node x = {NULL, 7};
    struct node *p = &x;
    while (__VERIFIER_nondet_int())
        ;
    p->data = 1;
}

int name(void)
{
    const char *p = "abc";
    return p[0] == 'a' ? table[1] : 0;
}
