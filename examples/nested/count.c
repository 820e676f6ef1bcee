// Counts the items of all inner lists.
// test: --int-values 0,1
// expect: count safe

#include <stddef.h>

typedef struct col { struct col *right; int on; } col;
typedef struct row { struct row *down; struct col *cols; } row;

/*@ requires reach(down, r, NULL);
    requires \forall row *x; x != NULL && reach(down, r, x) ==> reach(right, x->cols, NULL);
    assigns  \nothing;
    ensures  \result >= 0;
    ensures  \result > 0 <==> \exists row *x; x != NULL && reach(down, r, x) && \exists col *c; c != NULL && reach(right, x->cols, c) && c->on != 0; */
int count(row *r)
{
    int n = 0;
    for (; r; r = r->down)
        for (col *c = r->cols; c; c = c->right)
            if (c->on)
                n++;
    return n;
}
