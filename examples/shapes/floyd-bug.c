// The same, but only the fast pointer's own cell is looked at.
// test: --engine sll
// expect: has_cycle violated null-deref

#include <stddef.h>

struct cell { int value; struct cell *tail; };

/*@ ensures \result == 1 ==> !reach(tail, h, NULL); */
int has_cycle(struct cell *h)
{
    struct cell *slow = h, *fast = h;

    while (fast) {
        slow = slow->tail;
        fast = fast->tail->tail; // BUG
        if (slow == fast && slow)
            return 1;
    }
    return 0;
}
