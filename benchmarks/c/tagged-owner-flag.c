#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

/* A node owns its buffer only if the flag says so. */
struct seg {
    struct seg *next;
    char *buf;
    int owned;
};

static char shared_buf[8];

int main(void)
{
    struct seg *s = NULL;

    while (__VERIFIER_nondet_int()) {
        struct seg *n = malloc(sizeof *n);
        if (!n)
            abort();
        if (__VERIFIER_nondet_int()) {
            n->buf = malloc(16);
            if (!n->buf)
                abort();
            n->owned = s == NULL;
        } else {
            n->buf = shared_buf;
            n->owned = 0;
        }
        n->buf[0] = 'x';
        n->next = s;
        s = n;
    }
    while (s) {
        struct seg *n = s->next;
        if (s->owned)
            free(s->buf);
        free(s); // BUG
        s = n;
    }
    return 0; // BUG
}
