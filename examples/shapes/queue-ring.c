// A queue as a ring with a pointer to its last node: an element goes in behind it.
// test: --engine sll
// expect: enqueue verified

#include <stdlib.h>

struct node { struct node *next; int value; };

/*@ requires tail == NULL || cyclic(next, tail);
    ensures \result != NULL && cyclic(next, \result);
    ensures tail != NULL ==> reach(next, \result, tail); */
struct node *enqueue(struct node *tail, int value)
{
    struct node *fresh = malloc(sizeof *fresh);

    fresh->value = value;
    if (tail == NULL) {
        fresh->next = fresh;
    } else {
        fresh->next = tail->next;
        tail->next = fresh;
    }
    return fresh;
}
