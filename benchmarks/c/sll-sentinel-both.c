#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {}

/* The list always ends in the sentinel, which points to itself. */
struct list { struct list *next; int full; };

static struct list *new_sentinel(void)
{
    struct list *s = malloc(sizeof(struct list));
    if (s == NULL) abort();
    s->next = s;
    s->full = 0;
    return s;
}

static struct list *cons(struct list *rest)
{
    struct list *c = malloc(sizeof(struct list));
    if (c == NULL) abort();
    c->full = 1;
    c->next = rest;
    return c;
}

int main(void)
{
    struct list *end = new_sentinel();
    struct list *l = end;
    struct list *p;

    while (__VERIFIER_nondet_int())
        l = cons(l);
    for (p = l; p != end; p = p->next)
        if (!p->full)
            reach_error();
    do {
        p = l->next;
        free(l);
        l = p;
    } while (l != end && p->full);
    free(end); // BUG
    return 0;
}
