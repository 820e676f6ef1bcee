// Takes the first node off a doubly linked list and returns its value.
// test: --objects 3 --int-values 0,1
// expect: pop_front safe
// expect[pdr-forall]: pop_front verified

#include <stdlib.h>

struct dnode {
    struct dnode *next, *prev;
    int data;
};

/*@ predicate list(struct dnode *h) =
      dll(next, prev, h, NULL) &&
      (h != NULL ==> h->prev == NULL); */

/*@ requires \valid(hp) && *hp != NULL && list(*hp);
    requires \forall struct dnode *v; v != NULL && reach(next, *hp, v) ==> \separated(hp, v);
    ensures  list(*hp);
    ensures  *hp == \old((*hp)->next);
    ensures  \result == \old((*hp)->data); */
int pop_front(struct dnode **hp)
{
    struct dnode *x = *hp;
    int data = x->data;

    *hp = x->next;
    if (*hp)
        (*hp)->prev = NULL;
    free(x);
    return data;
}
