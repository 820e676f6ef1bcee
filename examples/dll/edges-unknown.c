// That every field has a value is no universal formula, so single steps alone do not show it.
// test: --engine pdr-forall --vocabulary edges
// expect: first unknown imprecise

#include <stddef.h>

struct node {
    struct node *next, *prev;
};

/*@ requires reach(next, h, NULL);
    requires \forall struct node *u; u != NULL && reach(next, h, u) ==> reach(prev, u, NULL);
    requires \forall struct node *u, *v; u != NULL && reach(next, h, u) && reach(prev, u, v) ==>
                 v == u || v == NULL;
    ensures  h != NULL ==> h->prev == NULL; */
void first(struct node *h)
{
}
