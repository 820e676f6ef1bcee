// Tells whether a list runs into a cycle, with two pointers of different speed.
// test: --engine sll
// expect: has_cycle verified

#include <stddef.h>

struct cell { int value; struct cell *tail; };

/*@ ensures \result == 0 || \result == 1;
    ensures \result == 1 ==> !reach(tail, h, NULL);
    ensures \result == 0 ==> reach(tail, h, NULL); */
int has_cycle(struct cell *h)
{
    struct cell *slow = h, *fast = h;

    while (fast && fast->tail) {
        slow = slow->tail;
        fast = fast->tail->tail;
        if (slow == fast)
            return 1;
    }
    return 0;
}
