// Where a check is switched off, an execution ends, or goes on with any value if the value was never
// written; every engine does the same.
// test: --no-check uninit --no-check assertion --no-check leak
// expect: goes_on violated null-deref
// expect: goes_on_stored violated null-deref
// expect: ends safe
// expect: counted safe
// expect: lost safe
// expect[pdr-forall]: goes_on violated null-deref
// expect[pdr-forall]: goes_on_stored violated null-deref
// expect[pdr-forall]: ends verified
// expect[pdr-forall]: lost verified
// expect[pdr-predicates]: goes_on violated null-deref
// expect[pdr-predicates]: lost verified
// expect[sll]: goes_on violated null-deref
// expect[sll]: counted verified
// expect[sll]: lost verified
// expect[canonical]: lost verified

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int data; };

void goes_on(void)
{
    int x;
    struct node *p = NULL;
    if (x)
        ;
    p->data = 1; // BUG goes_on
}

void goes_on_stored(void)
{
    struct node n;
    struct node *p = NULL;
    if (n.data == 1)
        n.next = NULL;
    p->data = 1; // BUG goes_on_stored
}

void ends(void)
{
    struct node *p = NULL;
    assert(p != NULL);
    p->data = 1;
}

void counted(void)
{
    int k = 0;
    do {
        k++;
        if (k > 5)
            break;
    } while (k < 9);
    assert(k == 6);
}

void lost(void)
{
    struct node *p = malloc(sizeof *p);
    while (__VERIFIER_nondet_int())
        ;
    (void)p;
}
