// Appends one list to another.
// test: --engine sll
// expect: append verified

#include <stddef.h>

struct cell { int value; struct cell *tail; };

/*@ requires ls(tail, a, NULL) && ls(tail, b, NULL);
    requires \inter(content(tail, a), content(tail, b)) == \empty;
    ensures  reach(tail, \result, NULL);
    ensures  reach(tail, \result, b);
    ensures  a != NULL ==> \result == a; */
struct cell *append(struct cell *a, struct cell *b)
{
    struct cell *last;

    if (a == NULL)
        return b;
    last = a;
    while (last->tail)
        last = last->tail;
    last->tail = b;
    return a;
}
