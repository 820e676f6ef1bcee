/* Unsigned numbers of any size: lists of digits, least significant first. */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct digit {
    unsigned char d;
    struct digit *more;
} digit;

static digit *put(unsigned d, digit *more)
{
    digit *n = malloc(sizeof(digit));
    if (!n)
        exit(1);
    n->d = (unsigned char)d;
    n->more = more;
    return n;
}

static digit *parse(const char *s)
{
    digit *n = NULL;
    for (; *s; s++) {
        if (!isdigit((unsigned char)*s))
            break;
        n = put((unsigned)(*s - '0'), n);
    }
    return n;
}

static digit *add(const digit *a, const digit *b, unsigned carry)
{
    unsigned sum;
    if (!a && !b)
        return carry ? put(carry, NULL) : NULL;
    sum = carry;
    if (a) {
        sum += a->d;
        a = a->more;
    }
    if (b) {
        sum += b->d;
        b = b->more;
    }
    return put(sum % 10, add(a, b, sum / 10));
}

static void print(const digit *n)
{
    if (n->more)
        print(n->more);
    putchar('0' + n->d);
}

static void drop(digit *n)
{
    while (n) {
        digit *m = n->more;
        free(n);
        n = m;
    }
}

int main(void)
{
    digit *a = parse("99");
    digit *b = parse("7x");
    digit *c = add(a, b, 0);

    print(c);
    putchar('\n');
    assert(c->d == 6 && c->more->d == 0 && c->more->more->d == 1);
    drop(a);
    drop(b);
    drop(c);
    return 0;
}
