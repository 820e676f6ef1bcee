// Splits a ring into two rings at two of its nodes.
// test: --engine sll
// expect: split verified

#include <stddef.h>

struct node { struct node *next; };

/*@ requires a != NULL && b != NULL && a != b && cyclic(next, a) && reach(next, a, b);
    ensures cyclic(next, a) && cyclic(next, b);
    ensures \inter(content(next, a), content(next, b)) == \empty; */
void split(struct node *a, struct node *b)
{
    struct node *t = a->next;

    a->next = b->next;
    b->next = t;
}
