// A list of marked cells is put behind another one; where they meet the mark goes.
// expect: append violated postcondition

#include <stddef.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

//@ predicate all(struct node *h, int c) =
//@   \forall struct node *v; v != NULL && reach(next, h, v) ==> v->data == c;

/*@ requires reach(next, a, NULL) && reach(next, b, NULL) && all(a, 1) && all(b, 1);
    requires \inter(content(next, a), content(next, b)) == \empty;
    ensures  reach(next, \result, NULL) && all(\result, 1); */ // BUG
struct node *append(struct node *a, struct node *b)
{
    struct node *p = a;

    if (a == NULL)
        return b;
    while (p->next != NULL)
        p = p->next;
    p->next = b;
    p->data = 0;
    return a;
}
