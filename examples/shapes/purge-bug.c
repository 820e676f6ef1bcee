// Removes and frees every cell with a value, and goes on from a freed one.
// test: --engine sll
// expect: purge violated use-after-free

#include <stdlib.h>

struct cell { int value; struct cell *tail; };

/*@ requires ls(tail, h, NULL); */
struct cell *purge(struct cell *h, int value)
{
    struct cell *prev = NULL, *at = h;

    while (at) {
        if (at->value == value) {
            if (prev)
                prev->tail = at->tail;
            else
                h = at->tail;
            free(at);
        } else {
            prev = at;
        }
        at = at->tail; // BUG
    }
    return h;
}
