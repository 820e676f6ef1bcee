#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
extern void reach_error(void);

struct dl { struct dl *l, *r; };

int main(void)
{
    struct dl *left = malloc(sizeof(struct dl));
    struct dl *right = malloc(sizeof(struct dl));
    struct dl *x;

    if (!left || !right)
        abort();
    left->l = NULL;
    left->r = right;
    right->l = left;
    right->r = NULL;

    while (__VERIFIER_nondet_int()) {
        x = malloc(sizeof(struct dl));
        if (!x)
            abort();
        if (__VERIFIER_nondet_int()) {      /* after the left sentinel */
            x->l = left;
            x->r = left->r;
        } else {                            /* before the right one */
            x->r = right;
            x->l = right->l;
        }
        x->l->r = x;
        x->r->l = x;
    }

    while (left->r != right) {
        x = left->r;
        x->r->l = left;
        left->r = x->r;
        free(x);
    }
    if (right->l != left)
        reach_error();
    free(left);
    free(right);
    return 0;
}
