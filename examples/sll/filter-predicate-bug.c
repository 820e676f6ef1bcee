// The predecessor also advances over deleted nodes, so a freed node is written.
// expect: filter violated use-after-free

#include <stdlib.h>

struct node {
    struct node *next;
    int data;
};

//@ predicate Good(struct node *v);

/*@ assigns \nothing;
    ensures \result != 0 <==> Good(v); */
int good(struct node *v);

/*@ requires ls(next, h, NULL);
    ensures  ls(next, \result, NULL);
    ensures  \forall struct node *v; v != NULL ==> (reach(next, \result, v) <==> \old(reach(next, h, v)) && Good(v)); */
struct node *filter(struct node *h)
{
    struct node *i = h, *j = NULL;

    while (i != NULL) {
        struct node *t = i->next;
        if (good(i)) {
        } else {
            if (j == NULL)
                h = t;
            else
                j->next = t; // BUG
            free(i);
        }
        j = i;
        i = t;
    }
    return h;
}
