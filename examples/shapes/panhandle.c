// Whether a list is a panhandle: Floyd's search for a cycle, and then whether the head is on it.
// test: --engine sll
// expect: on_cycle verified

#include <stddef.h>

struct node { struct node *next; };

/*@ ensures \result == 1 ==> cyclic(next, h);
    ensures \result == 0 ==> h == NULL || !cyclic(next, h); */
int on_cycle(struct node *h)
{
    struct node *slow = h, *fast = h, *p;

    while (fast != NULL && fast->next != NULL) {
        slow = slow->next;
        fast = fast->next->next;
        if (slow == fast) {
            if (slow == h)
                return 1;
            for (p = slow->next; p != slow; p = p->next)
                if (p == h)
                    return 1;
            return 0;
        }
    }
    return 0;
}
