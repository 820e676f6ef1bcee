// Unsigned 64-bit integers are mathematical integers in contracts: never negative.
// expect: all_ones safe
// expect: identity safe
// expect: largest safe
// expect: above safe

//@ ensures \result > 5 && \result == 18446744073709551615;
unsigned long all_ones(void)
{
    return ~0ul;
}

//@ ensures \result == x && \result >= 0 && \result == \old(x);
unsigned long identity(unsigned long x)
{
    return x;
}

struct node {
    struct node *next;
    unsigned long key;
};

/*@ requires reach(next, h, NULL) && sorted(next, key, h, NULL) && h != NULL;
    requires \forall struct node *v; v != NULL ==> v->key >= 0;
    ensures \forall struct node *v; \in(v, content(next, h)) ==> v->key <= \result; */
unsigned long largest(struct node *h)
{
    while (h->next)
        h = h->next;
    return h->key;
}

//@ predicate high(unsigned long x) = x > 9223372036854775807;

/*@ requires high(x);
    ensures \result == 1; */
int above(unsigned long x)
{
    return x > 0x7ffffffffffffffful;
}
