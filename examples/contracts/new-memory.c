// The result of a function without a body is freed, whether it is new or not.
// expect: use safe

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
    int is_last = n->next == NULL;

    free(n);
    return is_last;
}
