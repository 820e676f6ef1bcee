// The hash function can return the number of buckets.
// expect: main violated bounds

#include <stdlib.h>
#include <assert.h>

#define NBUCKETS 2
#define SLOT(key) ((key) % (NBUCKETS + 1))

extern unsigned __VERIFIER_nondet_uint(void);

struct kv { unsigned key; struct kv *chain; };
static struct kv *table[NBUCKETS];

static struct kv *lookup(unsigned key)
{
    struct kv *p = table[SLOT(key)]; // BUG
    while (p && p->key != key)
        p = p->chain;
    return p;
}

static void put(unsigned key)
{
    struct kv *p;
    if (lookup(key))
        return;
    p = malloc(sizeof *p);
    p->key = key;
    p->chain = table[SLOT(key)];
    table[SLOT(key)] = p;
}

static void wipe(void)
{
    unsigned i;
    for (i = 0; i < NBUCKETS; i++) {
        struct kv *p = table[i], *q;
        table[i] = NULL;
        for (; p; p = q) {
            q = p->chain;
            free(p);
        }
    }
}

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    put(a);
    put(b);
    assert(lookup(a) && lookup(b));
    assert((lookup(a) == lookup(b)) == (a == b));
    wipe();
    assert(!lookup(a));
    return 0;
}
