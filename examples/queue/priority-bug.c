// Skips at most one entry when it looks for the place (if instead of while).
// expect: main violated assertion

#include <stdlib.h>
#include <assert.h>

int __VERIFIER_nondet_int(void);

struct pq { int prio; struct pq *next; };

void add(struct pq **q, int prio)
{
    struct pq *n = malloc(sizeof(struct pq));
    n->prio = prio;
    if (*q && (*q)->prio <= prio)
        q = &(*q)->next;
    n->next = *q;
    *q = n;
}

int take(struct pq **q)
{
    struct pq *first = *q;
    int prio = first->prio;
    *q = first->next;
    free(first);
    return prio;
}

int main(void)
{
    struct pq *q = NULL;
    int i, last, x;

    for (i = 0; i < 3; i++)
        add(&q, __VERIFIER_nondet_int());
    last = take(&q);
    while (q) {
        x = take(&q);
        assert(last <= x); // BUG
        last = x;
    }
    return 0;
}
