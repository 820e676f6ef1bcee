// Unsigned numbers of 64 bits are ordered as what they are.
// test: --engine pdr-forall
// expect: large verified
// expect: large_bug violated assertion
// expect: all_bits verified

#include <assert.h>
#include <stddef.h>

struct counter { unsigned long n; };

/*@ requires c != NULL; */
void large(struct counter *c)
{
    if (c->n > 0x8000000000000001ul)
        assert(c->n > 5);
}

/*@ requires c != NULL; */
void large_bug(struct counter *c)
{
    if (c->n > 0x8000000000000001ul)
        assert(c->n < 5); // BUG large_bug
}

/*@ requires c != NULL; ensures c->n > 5; */
void all_bits(struct counter *c)
{
    c->n = ~0ul;
}
