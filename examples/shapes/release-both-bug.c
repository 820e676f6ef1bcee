// Frees two lists that may share cells.
// test: --engine sll
// expect: release_both violated double-free

#include <stdlib.h>

struct cell { int value; struct cell *tail; };

/*@ requires reach(tail, a, NULL) && reach(tail, b, NULL); */
void release_both(struct cell *a, struct cell *b)
{
    if (a && !a->tail && b && !b->tail) {
        free(a);
        free(b); // BUG
    }
}
