// What was allocated at entry is not what is allocated now. The lists are longer than the small heaps
// of the second leg, so that only the reading of the contract can be wrong.
// expect[proveit]: freed unknown unsupported
// expect[proveit]: valid unknown unsupported
// expect[proveit]: never unknown unsupported
// expect[sll]: freed unknown unsupported
// expect[pdr-forall]: freed violated postcondition
// expect[pdr-forall]: valid violated postcondition
// expect[pdr-forall]: never violated postcondition
// expect[auto]: freed violated postcondition
// expect[auto]: valid violated postcondition
// expect[auto]: never violated postcondition

#include <stdlib.h>

struct node { struct node *next; int data; };

/*@ requires ls(next, h, NULL);
    ensures !\old(alloc(h)) || alloc(h); */ // BUG
void freed(struct node *h)
{
    struct node *p = h, *q;
    if (p && (p = p->next) && (p = p->next) && (p = p->next) && (p = p->next) && (p = p->next))
        while (h) {
            q = h->next;
            free(h);
            h = q;
        }
}

/*@ requires ls(next, h, NULL);
    ensures h != NULL ==> !\old(\valid(h)) || \valid(h); */ // BUG
void valid(struct node *h)
{
    struct node *p = h, *q;
    if (p && (p = p->next) && (p = p->next) && (p = p->next) && (p = p->next) && (p = p->next))
        while (h) {
            q = h->next;
            free(h);
            h = q;
        }
}

/*@ requires ls(next, h, NULL);
    ensures \old(!alloc(h)) || h == NULL || alloc(h); */ // BUG
void never(struct node *h)
{
    struct node *p = h, *q;
    if (p && (p = p->next) && (p = p->next) && (p = p->next) && (p = p->next) && (p = p->next))
        while (h) {
            q = h->next;
            free(h);
            h = q;
        }
}
