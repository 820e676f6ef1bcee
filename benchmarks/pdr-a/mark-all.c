// Marks every node of a list. The invariant speaks of all nodes before the iterator at once; no predicate
// of the paper's families says that they are marked, but `marked` does.

#include <stddef.h>

struct node {
    struct node *next;
    _Bool mark;
};

/*@ predicate marked(struct node *x, struct node *y) =
      \forall struct node *v; v != NULL && v != y && reach(next, x, v) && reach(next, v, y) ==> v->mark; */

/*@ requires reach(next, h, NULL);
    ensures  reach(next, h, NULL);
    ensures  \forall struct node *v; v != NULL && reach(next, h, v) ==> v->mark; */
void mark_all(struct node *h)
{
    struct node *i = h;

    while (i != NULL) {
        i->mark = 1;
        i = i->next;
    }
}
