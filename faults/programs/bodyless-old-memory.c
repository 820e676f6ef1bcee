#include <stdlib.h>

struct n { struct n *next; };

/*@ assigns \nothing;
    ensures \result != NULL && \result->next == NULL; */
extern struct n *make(void);

void f(void) {
    struct n *p = make();
    p = NULL;
    p->next = NULL;
}
