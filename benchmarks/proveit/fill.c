// Every cell of a list gets the same value.
// expect: fill safe

#include <stddef.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

//@ predicate all(struct node *h, int c) =
//@   \forall struct node *v; v != NULL && reach(next, h, v) ==> v->data == c;

/*@ requires reach(next, h, NULL);
    ensures  reach(next, h, NULL) && all(h, 7); */
void fill(struct node *h)
{
    struct node *p = h;

    while (p != NULL) {
        p->data = 7;
        p = p->next;
    }
}
