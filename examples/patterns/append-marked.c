// A list of marked cells is put behind another one.
// expect: append safe
// expect[proveit]: append verified

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
    ensures  reach(next, \result, NULL) && all(\result, 1); */
struct node *append(struct node *a, struct node *b)
{
    struct node *p = a;

    if (a == NULL)
        return b;
    while (p->next != NULL)
        p = p->next;
    p->next = b;
    return a;
}
