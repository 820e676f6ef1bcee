// Builds a list of any length. Memory that existed before the call does not appear in it.

#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
};

/*@ requires reach(next, x, NULL);
    ensures  reach(next, \result, NULL);
    ensures  x != NULL ==> !reach(next, \result, x); */
struct node *create(struct node *x)
{
    struct node *h = NULL;

    (void) x;
    while (__VERIFIER_nondet_bool()) {
        struct node *e = malloc(sizeof *e);
        e->next = h;
        h = e;
    }
    return h;
}
