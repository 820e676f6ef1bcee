#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
#define ASSERT(c) do { if (!(c)) reach_error(); } while (0)

struct node { struct node *next; int mark; };

static struct node *mk(struct node *next, int mark)
{
    struct node *n = malloc(sizeof *n);
    if (!n) exit(1);
    n->next = next;
    n->mark = mark;
    return n;
}

int main(void)
{
    struct node *l = mk(NULL, 0), *p, *q;
    int marks = 0;

    while (__VERIFIER_nondet_int())
        l = mk(l, 0);

    /* go somewhere, insert one marked node behind it */
    p = l;
    while (p->next != NULL && __VERIFIER_nondet_int())
        p = p->next;
    q = mk(NULL, 1);
    p->next = q; // BUG

    for (p = l; p != NULL; p = p->next)
        if (p->mark)
            marks++;
    ASSERT(marks == 1);
    while (l != NULL) {
        p = l->next;
        free(l);
        l = p;
    }
    return 0; // BUG
}
