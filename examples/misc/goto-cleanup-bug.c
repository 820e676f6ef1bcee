// The second failure jumps to the wrong label, and the first allocation is lost.
// test: --malloc-may-fail
// expect: build_pair violated leak

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
        goto free_p;
    return p;

free_p:
    free(p);
out:
    return NULL; // BUG
}
