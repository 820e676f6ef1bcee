// Pointers without a struct type may lead anywhere: in a chain, in a circle, back to their own.
// test: --engine pdr-forall
// expect: chain violated assertion
// expect: circle verified
// expect: itself violated assertion

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item { int v; int *p; };
struct holder { void *p; };

void chain(void)
{
    struct item a, b, c;
    c.p = NULL;
    b.p = &c.v;
    a.p = &b.v;
    while (__VERIFIER_nondet_int())
        ;
    assert(a.p == NULL); // BUG chain
}

int circle(void)
{
    struct holder *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->p = b;
    b->p = a;
    while (__VERIFIER_nondet_int())
        ;
    assert(a->p == b && b->p == a);
    free(a);
    free(b);
    return 0;
}

/*@ requires h != NULL; */
void itself(struct holder *h)
{
    h->p = h;
    while (__VERIFIER_nondet_int())
        ;
    assert(h->p != h); // BUG itself
}
