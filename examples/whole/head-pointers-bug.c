// Every node knows the first one, with a bug.
// expect: main violated double-free

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct member { struct member *next; struct member *head; };
int main(void) {
    struct member *h, *m;
    h = malloc(sizeof *h);
    h->next = NULL; h->head = h;
    while (__VERIFIER_nondet_int()) { m = malloc(sizeof *m); m->head = h; m->next = h->next; h->next = m; }
    m = h->next;
    while (m != NULL) { struct member *n = m->next; free(m->head); m = n; }
    free(h); // BUG
    return 0;
}
