// A cycle counts where nobody can reach it any more.
// test: --engine explore --check acyclic --gc
// expect: main violated acyclic

#include <stdlib.h>

struct node { struct node *next; };

int main(void)
{
    struct node *p = malloc(sizeof *p);
    p->next = p;
    p = NULL;
    for (int i = 0; i < 2; i++) // BUG
        ;
    return 0;
}
