// Frees a tree without recursion: rotate the left child up until there is none.
// test: --int-values 0,1
// expect: main safe

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
            T *r = t->r;
            free(t);
            t = r;
        }
    }
    return 0;
}
