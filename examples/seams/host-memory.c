// The strings that a host passes are no nodes, and nobody has to free them.
// expect: main safe
// expect[pdr-forall]: main verified

#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

int main(int argc, char **argv)
{
    struct node *list = NULL;

    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
