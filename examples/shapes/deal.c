// Deals the cells of a list out to two lists in turn.
// test: --engine sll
// expect: deal verified

#include <stddef.h>

struct cell { int value; struct cell *tail; };

struct cell *left, *right;

/*@ requires ls(tail, h, NULL) && left == NULL && right == NULL;
    ensures  reach(tail, left, NULL) && reach(tail, right, NULL);
    ensures  \inter(content(tail, left), content(tail, right)) == \empty; */
void deal(struct cell *h)
{
    int to_left = 1;

    while (h) {
        struct cell *next = h->tail;

        if (to_left) {
            h->tail = left;
            left = h;
        } else {
            h->tail = right;
            right = h;
        }
        to_left = !to_left;
        h = next;
    }
}
