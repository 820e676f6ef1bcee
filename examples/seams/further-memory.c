// A function without a body may return a whole new structure: unless `ensures` says where the
// pointers in its result lead, what follows is not known.
// test: --engine pdr-forall
// expect: drop_outer unsupported
// expect: drop_list unsupported
// expect: drop_empty verified
// expect: drop_filled verified
// expect: lose_empty violated leak

#include <stdlib.h>

struct value { int k; };
struct box { struct value *v; };
struct node { struct node *next; int data; };

//@ assigns \nothing; ensures \result != NULL && \result->v != NULL;
struct box *full_box(void);

//@ assigns \nothing; ensures \result != NULL && \result->v == NULL;
struct box *empty_box(void);

//@ assigns \nothing; ensures \result != NULL && \result->v == v;
struct box *box_of(struct value *v);

//@ assigns \nothing; ensures \result != NULL && reach(next, \result, NULL);
struct node *some_list(void);

void drop_outer(void)
{
    struct box *b = full_box();
    free(b);
}

void drop_list(void)
{
    struct node *n = some_list();
    free(n);
}

//@ requires \true;
void drop_empty(void)
{
    struct box *b = empty_box();
    free(b);
}

//@ requires v != NULL;
int drop_filled(struct value *v)
{
    struct box *b = box_of(v);
    int k = b->v->k;
    //@ assert b->v == v;
    free(b);
    return k;
}

int lose_empty(void)
{
    struct box *b = empty_box();
    return b->v == NULL; // BUG lose_empty
}
