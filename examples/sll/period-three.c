// Zero, one and two in turn: what follows a node depends on the node alone.
// expect: period safe
// expect[pdr-forall]: period verified

#include <assert.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

/*@ assigns \nothing; */
int more(void);

void period(void)
{
    struct node *l = NULL;
    int d = 0;

    while (more()) {
        struct node *n = malloc(sizeof *n);
        n->data = d;
        d = d == 0 ? 1 : d == 1 ? 2 : 0;
        n->next = l;
        l = n;
    }
    for (struct node *p = l; p != NULL && p->next != NULL; p = p->next) {
        if (p->data == 0)
            assert(p->next->data == 2);
        else
            assert(p->data == 1 ? p->next->data == 0 : p->next->data == 1);
    }
    while (l != NULL) {
        struct node *t = l->next;
        free(l);
        l = t;
    }
}
