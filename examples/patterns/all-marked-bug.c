// Whether all cells of a list are marked; only the last cell counts.
// expect: all_marked violated postcondition

#include <stddef.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

//@ predicate all(struct node *h, int c) =
//@   \forall struct node *v; v != NULL && reach(next, h, v) ==> v->data == c;

/*@ requires reach(next, h, NULL);
    ensures  \result == 1 ==> all(h, 1); */ // BUG
int all_marked(struct node *h)
{
    struct node *p = h;
    int yes = 1;

    while (p != NULL) {
        if (p->data != 1)
            yes = p->next == NULL ? 0 : yes;
        p = p->next;
    }
    return yes;
}
