/* Prime numbers below what the user says, in a set of bits. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct set {
    unsigned size;
    unsigned char *bits;
};

static int set_make(struct set *s, unsigned size)
{
    s->size = size;
    s->bits = calloc(size / CHAR_BIT, 1);
    return s->bits != NULL;
}

static void set_add(struct set *s, unsigned i)
{
    if (i < s->size)
        s->bits[i / CHAR_BIT] |= (unsigned char)(1u << (i % CHAR_BIT)); // BUG
}

static int set_has(const struct set *s, unsigned i)
{
    return i < s->size && (s->bits[i / CHAR_BIT] >> (i % CHAR_BIT) & 1); // BUG
}

int main(int argc, char **argv)
{
    struct set composite;
    long most = argc > 1 ? strtol(argv[1], NULL, 10) : 30;
    unsigned i, j;

    if (most < 2 || most > 60) {
        fprintf(stderr, "usage: %s [number from 2 to 60]\n", argv[0]);
        return EXIT_FAILURE;
    }
    if (!set_make(&composite, (unsigned)most)) {
        perror(argv[0]);
        return EXIT_FAILURE;
    }
    for (i = 2; i < composite.size; i++) {
        if (set_has(&composite, i))
            continue;
        printf("%u\n", i);
        for (j = 2 * i; j < composite.size; j += i)
            set_add(&composite, j);
    }
    free(composite.bits);
    return EXIT_SUCCESS;
}
