// A caller must establish what its callee asks for.
// expect: second safe
// expect: pop_two safe

#include <stdlib.h>

struct node { struct node *next; };

/*@ requires h != NULL && h->next != NULL;
    assigns  \nothing;
    ensures  \result == h->next; */
struct node *second(struct node *h)
{
    return h->next;
}

/*@ requires ls(next, h, NULL);
    ensures  ls(next, \result, NULL);
    ensures  h != NULL && \old(h->next) != NULL ==> \result == \old(h->next->next); */
struct node *pop_two(struct node *h)
{
    struct node *s, *rest;

    if (h == NULL || h->next == NULL)
        return h;
    s = second(h);
    rest = s->next;
    free(h);
    free(s);
    return rest;
}
