// Competition style: the loop that builds the list ends whenever it likes.
// expect: main safe

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <stdlib.h>

struct node { int h; struct node *n; };
typedef struct node *List;

static void exit_on_error(void) { ERROR: abort(); goto ERROR; }

int main(void)
{
    List a = (List) malloc(sizeof(struct node));
    List t, p = a;

    if (a == 0) exit(1);
    a->h = 1;
    while (__VERIFIER_nondet_int()) {
        t = (List) malloc(sizeof(struct node));
        if (t == 0) exit(1);
        t->h = 1;
        p->n = t;
        p = t;
    }
    p->n = 0;
    for (p = a; p != 0; p = t) {
        if (p->h != 1)
            exit_on_error();
        t = p->n;
        free(p);
    }
    return 0;
}
