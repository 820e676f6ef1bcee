#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int();

struct node {
    int even;
    struct node *next;
};

static void push(struct node **to, struct node *n)
{
    n->next = *to;
    *to = n;
}

static void drop(struct node *l, int even)
{
    while (l) {
        struct node *n = l;
        assert(n->even == even);
        l = l->next;
        free(n);
    }
}

int main(void)
{
    struct node *all = 0, *evens = 0, *odds = 0;

    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof(struct node));
        if (!n)
            exit(1);
        n->even = __VERIFIER_nondet_int() ? 1 : 0;
        push(&all, n);
    }
    while (all) {
        struct node *n = all;
        all = all->next;
        if (n->even)
            push(&evens, n);
        else
            push(&odds, n);
    }
    drop(evens, 1);
    drop(odds, 0);
    return 0;
}
