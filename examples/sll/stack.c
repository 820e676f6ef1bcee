// Push and pop through a pointer to the head pointer.
// expect: push safe
// expect: pop safe
// expect[pdr-forall]: push verified
// expect[pdr-forall]: pop verified

#include <stdlib.h>

typedef struct cell {
    int val;
    struct cell *down;
} cell;

/*@ requires \valid(top) && ls(down, *top, NULL);
    ensures  *top != NULL && (*top)->val == x && (*top)->down == \old(*top); */
void push(cell **top, int x)
{
    cell *c = (cell *) malloc(sizeof(cell));
    c->val = x;
    c->down = *top;
    *top = c;
}

/*@ requires \valid(top) && *top != NULL && ls(down, *top, NULL) && \separated(top, *top);
    ensures  *top == \old((*top)->down);
    ensures  \result == \old((*top)->val);
    ensures  !alloc(\old(*top)); */
int pop(cell **top)
{
    cell *c = *top;
    int x = c->val;
    *top = c->down;
    free(c);
    return x;
}
