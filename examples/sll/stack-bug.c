// Pop reads the value after it has freed the cell.
// expect: push safe
// expect: pop violated use-after-free
// expect[pdr-forall]: push verified
// expect[pdr-forall]: pop violated use-after-free

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
    int x;
    *top = c->down;
    free(c);
    x = c->val; // BUG
    return x;
}
