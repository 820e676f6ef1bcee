// Widths, signs and conversions.
// test: --engine pdr-forall
// expect: wraps verified
// expect: wraps_not violated assertion
// expect: sign_kept violated assertion
// expect: truth verified
// expect: cut violated assertion
// expect: switched violated assertion
// expect: constants verified
// expect: byte violated postcondition
// expect: sorted_large verified
// expect: sorted_small violated postcondition

#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct narrow { signed char c; _Bool b; unsigned u; int k; };
struct key { struct key *next; unsigned long k; };

void wraps(void)
{
    unsigned char c = 255;
    c++;
    while (__VERIFIER_nondet_int())
        ;
    assert(c == 0);
}

void wraps_not(void)
{
    unsigned char c = 255;
    c++;
    while (__VERIFIER_nondet_int())
        ;
    assert(c == 256); // BUG wraps_not
}

//@ requires s != NULL;
void sign_kept(struct narrow *s)
{
    s->c = -1;
    s->u = s->c;
    assert(s->u == 255); // BUG sign_kept
}

//@ requires s != NULL;
void truth(struct narrow *s)
{
    s->b = 256;
    assert(s->b == 1);
}

//@ requires s != NULL;
void cut(struct narrow *s)
{
    s->k = 256;
    s->c = s->k;
    assert(s->c); // BUG cut
}

int switched(unsigned x)
{
    switch (x) {
    case -1:
        assert(0); // BUG switched
    }
    return 0;
}

void constants(void)
{
    assert(-1 < 2147483648);
    assert(-1 > 0xffffffff - 1);
}

//@ ensures \result < 128; // BUG byte
unsigned char byte(unsigned char x)
{
    return x;
}

/*@ requires reach(next, x, NULL) && sorted(next, k, x, NULL) && x != NULL && x->next != NULL;
    requires x->k > 9223372036854775808;
    ensures  x->next->k > 9223372036854775808; */
void sorted_large(struct key *x)
{
}

/*@ requires reach(next, x, NULL) && sorted(next, k, x, NULL) && x != NULL && x->next != NULL;
    ensures  x->k < 9223372036854775808 || x->next->k < 9223372036854775808; // BUG sorted_small
*/
void sorted_small(struct key *x)
{
}
