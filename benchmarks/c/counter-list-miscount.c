#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list { unsigned count; struct node *first; };
struct node { struct node *next; };

static void add(struct list *l)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(1);
    n->next = l->first;
    l->first = n;
    l->count++;
}

static void take(struct list *l)
{
    struct node *n = l->first;
    assert(n != NULL); // BUG
    l->first = n->next;
    if (l->first)
        l->count--;
    free(n);
}

int main(void)
{
    struct list l = { 0, NULL };
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int() && l.count < 1000)
            add(&l);
        else if (l.count > 0)
            take(&l);
    }
    while (l.count > 0)
        take(&l);
    assert(l.first == NULL);
    return 0;
}
