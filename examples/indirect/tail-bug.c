// Builds a list in order with a pointer to the last link that never moves on.
// expect: copy_list violated leak
// expect[pdr-forall]: copy_list violated leak

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

/*@ ensures reach(next, \result, NULL); */
struct node *copy_list(void)
{
    struct node *head = NULL, **tail = &head;

    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);

        n->next = NULL;
        *tail = n;
    }
    return head; // BUG
}
