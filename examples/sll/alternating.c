// Ones and zeros in turn, built at the head; what is said of neighbours holds along the whole list.
// expect: alternating safe
// expect[pdr-forall]: alternating verified

#include <assert.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

/*@ assigns \nothing; */
int more(void);

void alternating(void)
{
    struct node *l = NULL;
    int d = 0;

    while (more()) {
        struct node *n = malloc(sizeof *n);
        n->data = d;
        d = !d;
        n->next = l;
        l = n;
    }
    for (struct node *p = l; p != NULL; p = p->next) {
        d = !d;
        assert(p->data == d);
    }
    while (l != NULL) {
        struct node *t = l->next;
        free(l);
        l = t;
    }
}
