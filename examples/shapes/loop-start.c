// Where a list runs into its cycle: the tortoise and the hare meet, then both walk on until the one
// that starts again at the head meets the other. That this ends at the start of the cycle is a fact
// about lengths; that it stays on the list is one about shapes.
// test: --engine sll
// expect: loop_start verified

#include <stddef.h>

struct node { struct node *next; };

/*@ ensures \result != NULL ==> reach(next, h, \result);
    ensures \result != NULL ==> cyclic(next, \result); */
struct node *loop_start(struct node *h)
{
    struct node *slow = h, *fast = h;

    while (fast != NULL && fast->next != NULL) {
        slow = slow->next;
        fast = fast->next->next;
        if (slow == fast) {
            slow = h;
            while (slow != fast) {
                slow = slow->next;
                fast = fast->next;
            }
            return slow;
        }
    }
    return NULL;
}
