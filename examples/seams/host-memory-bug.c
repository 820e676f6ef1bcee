// What the program allocates itself is leaked as ever, beside the memory of its host.
// expect: main violated leak
// expect[pdr-forall]: main violated leak

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
    while (list && list->next) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0; // BUG
}
