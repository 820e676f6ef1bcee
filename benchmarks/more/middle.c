// Finds a node in the middle of a list with a slow and a fast pointer.

#include <stddef.h>

struct stop {
    struct stop *next;
};

/*@ requires reach(next, line, NULL);
    ensures  \result == NULL <==> line == NULL;
    ensures  reach(next, line, \result);
    ensures  \forall struct stop *u, *v; \old(reach(next, u, v)) <==> reach(next, u, v); */
struct stop *middle(struct stop *line)
{
    struct stop *slow = line, *fast = line;

    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    return slow;
}
