// Runs from the head of a list to its tail (Predicate and Canonical Abstraction, Fig. 1): refining predicates about the
// program's own terms by counterexamples never ends here.
// expect: fig1 safe

#include <assert.h>
#include <stddef.h>

struct node {
    struct node *n;
    int data;
};

/*@ requires head != NULL && ls(n, head, NULL);
    requires tail != NULL && reach(n, head, tail) && tail->n == NULL; */
void fig1(struct node *head, struct node *tail)
{
    struct node *curr = head;

    while (curr != tail) {
        assert(curr != NULL);
        curr = curr->n;
    }
}
