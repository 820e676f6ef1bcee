// Frees the node first and asks for its right child afterwards.
// test: --int-values 0,1
// expect: main violated use-after-free

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct T { struct T *l, *r; } T;

static T *make(int depth)
{
    T *t;
    if (depth == 0 || !__VERIFIER_nondet_int())
        return NULL;
    t = malloc(sizeof(T));
    t->l = make(depth - 1);
    t->r = make(depth - 1);
    return t;
}

int main(void)
{
    T *t = make(2);
    while (t) {
        T *l = t->l;
        if (l) {
            t->l = l->r;
            l->r = t;
            t = l;
        } else {
            free(t);
            t = t->r; // BUG
        }
    }
    return 0;
}
