// Recursive append and recursive free.
// expect: append safe
// expect: drop safe

#include <stdlib.h>

typedef struct s { struct s *nxt; } s;

/*@ requires ls(nxt, x, NULL);
    ensures  ls(nxt, \result, NULL) && \result != NULL;
    ensures  \forall s *v; v != NULL && \old(reach(nxt, x, v)) ==> reach(nxt, \result, v);
    ensures  x != NULL ==> \result == x; */
s *append(s *x)
{
    if (!x) {
        s *n = malloc(sizeof(s));
        n->nxt = NULL;
        return n;
    }
    x->nxt = append(x->nxt);
    return x;
}

/*@ requires ls(nxt, x, NULL);
    ensures  x != NULL ==> !alloc(x); */
void drop(s *x)
{
    if (x == NULL)
        return;
    drop(x->nxt);
    free(x);
}
