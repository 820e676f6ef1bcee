// Exchanges the tails of two lists; nothing says that they are different lists.

#include <stddef.h>

struct node {
    struct node *next;
};

/*@ requires a != NULL && b != NULL && reach(next, a, NULL) && reach(next, b, NULL);
    ensures  \forall struct node *v; v != NULL && v != a && v != b ==>
                 (reach(next, a, v) <==> \old(reach(next, b, v))) &&
                     (reach(next, b, v) <==> \old(reach(next, a, v)));
    ensures  !reach(next, a, b) && !reach(next, b, a); */
void exchange(struct node *a, struct node *b)
{
    struct node *t = a->next;
    a->next = b->next;
    b->next = t;
} // BUG
