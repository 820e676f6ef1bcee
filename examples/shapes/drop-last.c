// Cuts the last node off a list with one pointer that runs ahead. A list of one node is emptied.
// test: --engine sll
// expect: drop_last verified
// expect[canonical]: drop_last verified
// expect[auto]: drop_last verified

#include <stdlib.h>

struct node { struct node *next; char c; };

/*@ requires reach(next, h, NULL);
    ensures reach(next, \result, NULL); */
struct node *drop_last(struct node *h)
{
    struct node *p = h;

    if (h == NULL)
        return NULL;
    if (h->next == NULL) {
        free(h);
        return NULL;
    }
    while (p->next->next != NULL)
        p = p->next;
    free(p->next);
    p->next = NULL;
    return h;
}
