// Removes and frees every cell with a value.
// test: --engine sll
// expect: purge verified

#include <stdlib.h>

struct cell { int value; struct cell *tail; };

/*@ requires ls(tail, h, NULL);
    ensures  reach(tail, \result, NULL) && stable(tail, \result); */
struct cell *purge(struct cell *h, int value)
{
    struct cell *prev = NULL, *at = h;

    while (at) {
        struct cell *next = at->tail;

        if (at->value == value) {
            if (prev)
                prev->tail = next;
            else
                h = next;
            free(at);
        } else {
            prev = at;
        }
        at = next;
    }
    return h;
}
