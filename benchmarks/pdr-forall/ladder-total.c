// The copy of ladder.c; the contract says that every node has one.

#include <stdlib.h>

struct node {
    struct node *next, *copy;
};

/*@ requires reach(next, h, NULL);
    requires \forall struct node *u, *v; u != NULL && reach(next, h, u) && reach(copy, u, v) ==>
                 v == u || v == NULL;
    requires \forall struct node *u; u != NULL && reach(next, h, u) ==> reach(copy, u, NULL);
    ensures  \forall struct node *v; v != NULL && \old(reach(next, h, v)) ==> v->copy != NULL; */
struct node *ladder(struct node *h)
{
    struct node *i = h, *t = NULL, *last = NULL;

    while (i != NULL) {
        struct node *e = malloc(sizeof *e);
        e->next = NULL;
        e->copy = NULL;
        i->copy = e;
        if (last == NULL)
            t = e;
        else
            last->next = e;
        last = e;
        i = i->next;
    }
    return t;
}
