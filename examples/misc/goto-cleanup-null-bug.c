// The result of the second allocation is never checked.
// test: --malloc-may-fail
// expect: build_pair violated null-deref

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
    *p->b = 0; // BUG
    return p;

free_p:
    free(p);
out:
    return NULL;
}
