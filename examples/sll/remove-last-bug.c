// Nobody thought of a list with exactly one node.
// expect: remove_last violated null-deref

#include <stdlib.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires h != NULL && ls(next, h, NULL);
    ensures  ls(next, \result, NULL);
    ensures  \old(h->next) == NULL ==> \result == NULL;
    ensures  \forall struct node *v; v != NULL && \old(reach(next, h, v)) ==> (reach(next, \result, v) <==> \old(v->next) != NULL); */
struct node *remove_last(struct node *h)
{
    struct node *p;

    for (p = h; p->next->next != NULL; p = p->next) // BUG
        ;
    free(p->next);
    p->next = NULL;
    return h;
}
