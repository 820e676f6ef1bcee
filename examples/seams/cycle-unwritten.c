// A field that is only read may hold anything at a loop, but no cycle: that was checked before.
// test: --check acyclic --gc
// expect[pdr-predicates]: main verified
// expect[pdr-forall]: main verified

#include <stdlib.h>

struct node { struct node *next; };

int main(void)
{
    struct node *p = malloc(sizeof *p);
    p->next;
    p = NULL;
    for (int i = 0; i < 2; i++)
        ;
    return 0;
}
