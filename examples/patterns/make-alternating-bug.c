// A list whose neighbours differ, made cell by cell; sometimes the value stays.
// expect: make violated postcondition

#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int data;
    struct node *next;
};

//@ predicate differs(struct node *v) = v->next != NULL ==> v->data != v->next->data;

/*@ ensures reach(next, \result, NULL);
    ensures \forall struct node *v; v != NULL && reach(next, \result, v) ==> differs(v); */ // BUG
struct node *make(void)
{
    struct node *h = NULL;
    int d = 0;

    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof(struct node));
        n->data = d;
        n->next = h;
        h = n;
        if (h->next == NULL || __VERIFIER_nondet_int())
            d = 1 - d;
    }
    return h;
}
