// The hare checks only the first of its two steps.
// expect: has_cycle violated null-deref

#include <stddef.h>

struct ring {
    struct ring *next;
    int data;
};

/*@ assigns \nothing;
    ensures \result == 0 || \result == 1;
    ensures \result == 1 <==> !reach(next, h, NULL); */
int has_cycle(const struct ring *h)
{
    const struct ring *slow = h, *fast = h;

    while (fast != NULL) {
        slow = slow->next;
        fast = fast->next->next; // BUG
        if (slow == fast)
            return 1;
    }
    return 0;
}
