// Competition style: one of the nodes gets a different mark, and the final scan finds it.
// expect: main violated error-call

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <stdlib.h>

struct node { int h; struct node *n; };
typedef struct node *List;

extern void reach_error(void);

int main(void)
{
    List a = (List) malloc(sizeof(struct node));
    List t, p = a;

    if (a == 0) exit(1);
    a->h = 1;
    while (__VERIFIER_nondet_int()) {
        t = (List) malloc(sizeof(struct node));
        if (t == 0) exit(1);
        t->h = 2;
        p->n = t;
        p = t;
    }
    p->n = 0;
    for (p = a; p != 0; p = t) {
        if (p->h != 1)
            reach_error(); // BUG
        t = p->n;
        free(p);
    }
    return 0;
}
