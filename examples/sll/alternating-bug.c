// Ones and zeros in turn, but the walk begins with the wrong one.
// expect: alternating violated assertion
// expect[pdr-forall]: alternating violated assertion

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
        assert(p->data == d); // BUG
        d = !d;
    }
    while (l != NULL) {
        struct node *t = l->next;
        free(l);
        l = t;
    }
}
