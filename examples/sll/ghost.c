// Ghost code remembers where the walk began; \at and set operators in the contract.
// test: --int-values 0,1,2
// expect: drop safe

#include <stdlib.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires ls(next, h, NULL) && n >= 0;
    ensures  ls(next, \result, NULL);
    ensures  \subset(content(next, \result), \at(content(next, h), Pre));
    ensures  \forall struct node *v; \in(v, \diff(\old(content(next, h)), content(next, \result))) ==> !alloc(v);
    ensures  n == 0 ==> \result == h;
    ensures  n == 1 && h != NULL ==> \result == \old(h->next); */
struct node *drop(struct node *h, int n)
{
    //@ ghost struct node *first = h;
    //@ ghost int gone = 0;
    //@ loop invariant gone == 0 ==> first == h;
    //@ loop invariant gone > 0 ==> !alloc(first);
    while (n > 0 && h != NULL) {
        struct node *t = h->next;
        free(h);
        h = t;
        n--;
        //@ ghost gone = gone + 1;
    }
    //@ assert n == 0 || h == NULL;
    return h;
}
