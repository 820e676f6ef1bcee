#include <stdlib.h>
struct node {
    struct node *next;
    int data;
};
int total;

//@ predicate acyclic(struct node *h) = reach(next, h, NULL);

/*@ requires acyclic(h);
    assigns total;
    ensures acyclic(\result) && total >= \old(total); */
struct node *visit(struct node *h);

struct node *visit(struct node *list) {
    struct node *p = list;
    //@ ghost int steps = 0;
    //@ ghost struct node *last = NULL;
    /*@ loop invariant reach(next, list, p);
        loop invariant steps >= 0; */
    while (p != NULL) {
        //@ assert p->data == p->data;
        total++;
        /*@ ghost steps = steps + 1; */
        p = p->next;
        //@ ghost last = p;
    }
    int i;
    //@ loop invariant 0 <= i <= 3;
    for (i = 0; i < 3; i++)
        ;
    //@ loop invariant i > 0;
    do {
        i--;
    } while (i > 1);
    //@ assert steps == 0 || list != NULL;
    return list;
    //@ assert \true;
}
