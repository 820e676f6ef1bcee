// A library, without a main: a caller may pass functions that nobody here knows. What is called is
// not known, also where some functions are known that could be meant.
// expect: count unsupported
// expect: guarded unsupported
// expect: held violated null-deref
// expect: compared safe
// expect: by_name safe
#include <stddef.h>

struct node { struct node *next; int v; };
struct list { struct node *head; int (*cmp)(int, int); };

static int less(int a, int b) { return a < b; }

int count(struct list *l, int (*is)(int))
{
    int n = 0;
    if (!l || !is) return 0;
    for (struct node *at = l->head; at; at = at->next)
        if (is(at->v)) n++;
    return n;
}

int guarded(struct node *a, struct node *b, int (*cmp)(int, int))
{
    return a && b && cmp && cmp(a->v, b->v);
}

int held(struct list *l)
{
    return l && l->cmp(1, 2); // BUG
}

int compared(struct list *l) { return l && l->cmp != NULL; }

int by_name(struct node *a) { return a ? guarded(a, a, less) : 0; }
