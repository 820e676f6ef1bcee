#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct A { struct A *next; };
struct B { struct B *link; int tag; };

int main()
{
    struct A *as = NULL;
    struct B *bs = NULL;

    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            struct A *a = malloc(sizeof *a);
            a->next = as;
            as = a;
        } else {
            struct B *b = malloc(sizeof *b);
            b->tag = 0;
            b->link = bs;
            bs = b;
        }
    }

    while (as || bs) {
        if (as) {
            struct A *a = as;
            as = a->next;
            free(a);
        }
        {
            struct B *b = bs;
            bs = b->link; // BUG
            free(b);
        }
    }
    return 0;
}
