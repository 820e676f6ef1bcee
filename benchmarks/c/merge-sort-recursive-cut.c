#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };

static struct node *merge(struct node *a, struct node *b)
{
    if (!a)
        return b;
    if (!b)
        return a;
    if (a->v <= b->v) { // BUG
        a->next = merge(a->next, b);
        return a;
    }
    b->next = merge(a, b->next);
    return b;
}

static struct node *sort(struct node *l)
{
    struct node *slow = l, *fast, *half;
    if (!l || !l->next) // BUG
        return l;
    fast = l->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    half = slow->next;
    free(slow->next);
    slow->next = NULL;
    return merge(sort(l), sort(half));
}

int main(void)
{
    struct node *l = NULL, *n;
    while (__VERIFIER_nondet_int()) {
        n = malloc(sizeof *n);
        if (!n)
            abort();
        n->v = __VERIFIER_nondet_int();
        n->next = l;
        l = n;
    }
    l = sort(l);
    while (l) {
        n = l->next;
        free(l);
        l = n;
    }
    return 0;
}
