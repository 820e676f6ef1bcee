// Copies a list, cell by cell, with a pointer to the last cell of the copy.
// test: --engine sll
// expect: copy verified

#include <stdlib.h>

struct cell { int value; struct cell *tail; };

/*@ requires ls(tail, h, NULL);
    ensures  reach(tail, \result, NULL) && reach(tail, h, NULL);
    ensures  \inter(content(tail, \result), content(tail, h)) == \empty; */
struct cell *copy(struct cell *h)
{
    struct cell *first = NULL, *last = NULL;

    for (; h; h = h->tail) {
        struct cell *c = calloc(1, sizeof(struct cell));

        c->value = h->value;
        if (last)
            last->tail = c;
        else
            first = c;
        last = c;
    }
    return first;
}
