// Appends a second list to the end of the first one.
// expect: append safe

#include <stddef.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires ls(next, a, NULL) && ls(next, b, NULL);
    requires \forall struct node *v; v != NULL && reach(next, a, v) ==> !reach(next, b, v);
    ensures  ls(next, \result, NULL);
    ensures  content(next, \result) == \old(\union(content(next, a), content(next, b)));
    ensures  a != NULL ==> \result == a;
    ensures  reach(next, \result, b); */
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
