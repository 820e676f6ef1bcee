#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int seen; };

static void visit(struct node *n) { n->seen = 1; }
static void dispose(struct node *n) { free(n); }

static void for_each(struct node *l, void (*f)(struct node *))
{
    while (l) {
        struct node *next = l->next;
        f(l);
        l = next;
    }
}

int main(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            abort();
        n->seen = 0;
        n->next = l;
        l = n;
    }
    for_each(l, visit);
    for_each(l, dispose);
    return 0;
}
