// The address of a variable that is gone when it is used.
// expect: last violated use-after-free
// expect[pdr-forall]: last violated use-after-free

#include <stddef.h>

struct node { struct node *next; };

/*@ requires reach(next, head, NULL); */
struct node *last(struct node *head)
{
    struct node **found = &head;

    while (head != NULL) {
        struct node *here = head;

        found = &here;
        head = head->next;
    }
    return *found; // BUG
}
