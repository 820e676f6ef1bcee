#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct person {
    struct person *next;
};

int main(void)
{
    struct person *p = malloc(sizeof *p), *out;
    p->next = p;
    while (__VERIFIER_nondet_int()) {
        struct person *q = malloc(sizeof *q);
        q->next = p->next;
        p->next = q;
    }
    /* count on, the next one leaves */
    while (p->next != p) {
        while (__VERIFIER_nondet_int())
            p = p->next;
        out = p->next;
        p->next = out->next;
        free(out);
    }
    assert(p->next == p);
    free(p);
    return 0;
}
