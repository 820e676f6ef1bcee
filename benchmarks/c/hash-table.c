#include <stdlib.h>
#include <assert.h>

#define SIZE 4

extern int __VERIFIER_nondet_int(void);

struct bucket { struct bucket *next; unsigned key; };
static struct bucket *table[SIZE];

static struct bucket *find(unsigned key)
{
    struct bucket *b;
    for (b = table[key % SIZE]; b; b = b->next)
        if (b->key == key)
            return b;
    return NULL;
}

static void put(unsigned key)
{
    struct bucket *b;
    if (find(key))
        return;
    b = malloc(sizeof *b);
    if (!b)
        abort();
    b->key = key;
    b->next = table[key % SIZE];
    table[key % SIZE] = b;
}

int main(void)
{
    unsigned i;
    while (__VERIFIER_nondet_int()) {
        unsigned key = (unsigned)__VERIFIER_nondet_int();
        put(key);
        assert(find(key) != NULL);
    }
    for (i = 0; i < SIZE; i++) {
        while (table[i]) {
            struct bucket *b = table[i];
            table[i] = b->next;
            free(b);
        }
    }
    return 0;
}
