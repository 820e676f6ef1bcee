// Functions that are passed by name: a proof for lists of any length. The functions that are not
// passed do not matter, though one of them would do harm.
// expect: main safe
// expect[pdr-forall]: main verified
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int v; };

static void mark(struct node *n) { n->v = 1; }
static void release(struct node *n) { free(n); }
static void tie(struct node *n) { n->next = n; }

static void each(struct node *h, void (*f)(struct node *))
{
    while (h) {
        struct node *next = h->next;
        f(h);
        h = next;
    }
}

static void all(struct node *h, void (*f)(struct node *)) { each(h, f); }

int main(void)
{
    struct node *h = NULL, one = { NULL, 0 };
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (!n) break;
        n->v = 0;
        n->next = h;
        h = n;
    }
    all(h, mark);
    each(h, release);
    if (one.v) each(NULL, tie);
    return 0;
}
