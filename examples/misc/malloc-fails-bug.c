// When memory runs out half-way, what was built so far is lost.
// test: --malloc-may-fail --int-values 0,1
// expect: main violated leak

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

static struct node *build(int n)
{
    struct node *h = NULL;
    while (n-- > 0) {
        struct node *x = malloc(sizeof(struct node));
        if (x == NULL)
            return NULL;
        x->next = h;
        h = x;
    }
    return h;
}

int main(void)
{
    struct node *h = build(__VERIFIER_nondet_int() ? 2 : 1);
    while (h) {
        struct node *t = h;
        h = t->next;
        free(t);
    }
    return 0; // BUG
}
