// Puts a new node behind every node of a list, and makes it its own successor.

#include <stdlib.h>

struct beat {
    struct beat *next;
};

/*@ requires reach(next, b, NULL);
    ensures  reach(next, b, NULL);
    ensures  \forall struct beat *u, *v; v != NULL && \old(alloc(u)) && \old(alloc(v)) ==>
                 (reach(next, u, v) <==> \old(reach(next, u, v)));
    ensures  \forall struct beat *v; v != NULL && reach(next, b, v) && !\old(reach(next, b, v)) ==>
                 !\old(alloc(v)); */
void stutter(struct beat *b)
{
    while (b != NULL) { // BUG
        struct beat *echo = malloc(sizeof *echo);
        b->next = echo;
        echo->next = b->next;
        b = echo->next;
    }
}
