// Marks the nodes of a list, but for the last one.
// test: --engine bohne
// expect: mark_all violated postcondition

#include <stddef.h>

struct node {
    struct node *next;
    int marked;
};

/*@ requires h != NULL && reach(next, h, NULL);
    ensures  \forall struct node *v; v != NULL && reach(next, h, v) ==> v->marked != 0; // BUG
 */
void mark_all(struct node *h)
{
    struct node *p = h;

    while (p->next != NULL) {
        p->marked = 1;
        p = p->next;
    }
}
