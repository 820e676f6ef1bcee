/* A sorted list of disjoint intervals; adding one merges what it touches. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct interval {
    int lo, hi;
    struct interval *next;
};

static void add(struct interval **list, int lo, int hi)
{
    struct interval *n;

    while (*list && (*list)->hi < lo)
        list = &(*list)->next;
    while (*list && (*list)->lo <= hi) {
        struct interval *old = *list;
        if (old->lo < lo)
            lo = old->lo;
        if (old->hi > hi)
            hi = old->hi;
        *list = old->next;
        free(old);
    }
    n = malloc(sizeof(*n));
    if (!n)
        abort();
    n->lo = lo;
    n->hi = hi;
    n->next = *list;
    *list = n;
}

static int covers(const struct interval *l, int x)
{
    for (; l; l = l->next)
        if (l->lo <= x && x <= l->hi)
            return 1;
    return 0;
}

int main(void)
{
    struct interval *l = NULL;

    add(&l, 10, 20);
    add(&l, 30, 40);
    add(&l, 1, 2);
    add(&l, 15, 32);
    assert(covers(l, 25) && !covers(l, 5));
    assert(l->next && l->next->next == NULL);
    while (l) {
        struct interval *next = l->next;
        printf("[%d, %d]\n", l->lo, l->hi);
        free(l);
        l = next;
    }
    return 0;
}
