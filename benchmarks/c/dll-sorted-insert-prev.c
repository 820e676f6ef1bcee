#include <stdlib.h>
#include <assert.h>

int __VERIFIER_nondet_int(void);

typedef struct timer {
    struct timer *prev, *next;
    int when;
} timer;

static timer *schedule(timer *first, int when)
{
    timer *t = malloc(sizeof(timer)), *at = first, *last = NULL;
    if (!t)
        abort();
    t->when = when;
    while (at && at->when <= when) {
        last = at;
        at = at->next;
    }
    t->prev = last;
    t->next = at;
    if (!last)
        return t;
    if (at)
        at->prev = t;
    last->next = t;
    return first;
}

int main(void)
{
    timer *first = NULL, *t;
    while (__VERIFIER_nondet_int())
        first = schedule(first, __VERIFIER_nondet_int());
    for (t = first; t; t = t->next) {
        assert(!t->prev || t->prev->when <= t->when);
        assert(t->next == NULL || t->next->prev == t); // BUG
    }
    while (first) {
        t = first->next;
        free(first);
        first = t;
    }
    return 0;
}
