// Marks every node of a list, and nothing else.
// test: --engine bohne
// expect: mark_all verified

#include <stddef.h>

struct node {
    struct node *next;
    int marked;
};

/*@ requires reach(next, h, NULL);
    ensures  \forall struct node *v; v != NULL && reach(next, h, v) ==> v->marked != 0; */
void mark_all(struct node *h)
{
    struct node *p = h;

    while (p != NULL) {
        p->marked = 1;
        p = p->next;
    }
}
