#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct msg { struct msg *next; };
struct mbox { struct msg *first; struct msg **end; };

static void init(struct mbox *m) { m->first = NULL; m->end = &m->first; }

static void send(struct mbox *m)
{
    struct msg *x = malloc(sizeof *x);
    if (!x) abort();
    x->next = NULL;
    *m->end = x; // BUG
    m->end = &x->next;
}

static struct msg *receive(struct mbox *m)
{
    struct msg *x = m->first;
    if (x) {
        m->first = x->next;
    }
    return x;
}

int main(void)
{
    struct mbox m;
    struct msg *x;

    init(&m);
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            send(&m);
        else
            free(receive(&m));
    }
    while ((x = receive(&m)))
        free(x);
    return 0;
}
