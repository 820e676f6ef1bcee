// Builds a list in order with a pointer to the last link.
// expect: copy_list safe
// expect[pdr-forall]: copy_list verified

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

/*@ requires \forall struct node *v; !alloc(v);
    ensures  reach(next, \result, NULL); */
struct node *copy_list(void)
{
    struct node *head = NULL, **tail = &head;

    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);

        n->next = NULL;
        *tail = n;
        tail = &n->next;
    }
    return head;
}
