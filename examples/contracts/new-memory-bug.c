// A function without a body may return new memory: what follows its call can happen.
// expect: use violated null-deref
// expect: lose violated leak

#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

//@ assigns \nothing; ensures \result != NULL && \result->next == NULL;
struct node *make(void);

int use(void)
{
    struct node *n = make();
    int v = n->next->value; // BUG

    free(n);
    return v;
}

int lose(void)
{
    struct node *n = make();
    return n->value; // BUG
}
