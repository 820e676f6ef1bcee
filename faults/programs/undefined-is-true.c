#include <stdlib.h>

struct n { int v; struct n *next; };

/*@ ensures \result->v == 0 || \result->v != 0; */
struct n *f(void) {
    struct n *p = malloc(sizeof *p);
    p->next = NULL;
    return p;
}
