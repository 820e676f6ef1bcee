// Appends one list to another that may be the same: the result is a cycle.
// test: --engine sll
// expect: append violated postcondition

#include <stddef.h>

struct cell { int value; struct cell *tail; };

/*@ requires reach(tail, a, NULL) && reach(tail, b, NULL);
    ensures  reach(tail, \result, NULL); // BUG
*/
struct cell *append(struct cell *a, struct cell *b)
{
    struct cell *last = a;

    if (a == NULL)
        return b;
    while (last->tail)
        last = last->tail;
    last->tail = b;
    return a; // BUG
}
