#include <stdlib.h>

struct n { int v; struct n *next; };

int f(void) {
    struct n *p = malloc(sizeof *p);
    int r = p->next != NULL;
    free(p);
    if (r)
        return 1;
    return 0;
}
