// Lists that end where they began.
// test: --engine sll
// expect: take_out verified
// expect: take_out_bug violated postcondition
// expect: free_all verified
// expect: free_all_bug violated double-free
// expect: free_lasso violated use-after-free
// expect: successor verified
// expect: inserted violated postcondition
// expect[canonical]: take_out verified
// expect[canonical]: free_all verified
// expect[canonical]: free_all_bug violated double-free
// expect[canonical]: successor verified

#include <stdlib.h>

struct node { struct node *next; int data; };

//@ requires cyclic(next, x); ensures cyclic(next, x);
void take_out(struct node *x)
{
    struct node *y = x->next;
    if (y == x)
        return;
    x->next = y->next;
    free(y);
}

//@ requires cyclic(next, x); ensures cyclic(next, x); // BUG take_out_bug
void take_out_bug(struct node *x)
{
    struct node *y = x->next;
    x->next = y->next;
    free(y);
}

//@ requires cyclic(next, x);
void free_all(struct node *x)
{
    struct node *y = x->next;
    while (y != x) {
        struct node *z = y->next;
        free(y);
        y = z;
    }
    free(x);
}

//@ requires cyclic(next, x);
void free_all_bug(struct node *x)
{
    struct node *y = x->next;
    while (y != x) {
        struct node *z = y->next;
        free(y);
        y = z;
    }
    free(x);
    free(y); // BUG free_all_bug
}

//@ requires x != NULL;
void free_lasso(struct node *x)
{
    while (x) {
        struct node *n = x->next; // BUG free_lasso
        free(x);
        x = n;
    }
}

//@ requires cyclic(next, x); ensures \result != NULL && reach(next, \result, x);
struct node *successor(struct node *x)
{
    return x->next;
}

//@ requires cyclic(next, x); ensures cyclic(next, x) && !cyclic(next, \result); // BUG inserted
struct node *inserted(struct node *x)
{
    struct node *n = malloc(sizeof *n);
    n->data = 0;
    n->next = x->next;
    x->next = n;
    return n;
}
