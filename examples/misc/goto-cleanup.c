// Error handling with goto: whatever was acquired is released.
// test: --malloc-may-fail
// expect: build_pair safe
// expect[summaries]: build_pair verified

#include <stdlib.h>

struct pair { int *a, *b; };

/*@ ensures \result != NULL ==> \valid(\result->a) && \valid(\result->b) && \separated(\result->a, \result->b); */
struct pair *build_pair(void)
{
    struct pair *p = malloc(sizeof *p);
    if (!p)
        goto out;
    p->a = malloc(sizeof(int));
    if (!p->a)
        goto free_p;
    p->b = malloc(sizeof(int));
    if (!p->b)
        goto free_a;
    return p;

free_a:
    free(p->a);
free_p:
    free(p);
out:
    return NULL;
}
