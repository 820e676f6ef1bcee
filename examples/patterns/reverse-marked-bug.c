// A list of marked cells is reversed; all are still marked; the last cell loses its mark.
// expect: reverse violated postcondition

#include <stddef.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

//@ predicate all(struct node *h, int c) =
//@   \forall struct node *v; v != NULL && reach(next, h, v) ==> v->data == c;

/*@ requires reach(next, h, NULL) && all(h, 1);
    ensures  reach(next, \result, NULL) && all(\result, 1); */ // BUG
struct node *reverse(struct node *h)
{
    struct node *done = NULL;

    while (h != NULL) {
        struct node *next = h->next;
        h->next = done;
        done = h;
        if (next == NULL)
            h->data = 0;
        h = next;
    }
    return done;
}
