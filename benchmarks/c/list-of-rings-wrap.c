#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct ring { struct ring *next; };
struct spine { struct spine *next; struct ring *ring; };

static struct ring *new_ring(void)
{
    struct ring *r = malloc(sizeof *r);
    if (!r) exit(1);
    r->next = r;
    while (__VERIFIER_nondet_int()) {
        struct ring *x = malloc(sizeof *x);
        if (!x) exit(1);
        x->next = r->next;
        r->next = x;
    }
    return r;
}

static void free_ring(struct ring *r)
{
    struct ring *x = r;
    do {
        struct ring *n = x->next;
        free(x);
        x = n;
    } while (x != r);
    free(r); // BUG
}

int main(void)
{
    struct spine *s = NULL;
    while (__VERIFIER_nondet_int()) {
        struct spine *x = malloc(sizeof *x);
        if (!x) exit(1);
        x->ring = new_ring();
        x->next = s;
        s = x;
    }
    while (s) {
        struct spine *x = s;
        s = s->next;
        free_ring(x->ring);
        free(x);
    }
    return 0;
}
