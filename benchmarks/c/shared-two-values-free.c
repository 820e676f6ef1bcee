#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

typedef struct payload { int v; } payload;
typedef struct lst { payload *p; struct lst *tl; } lst;

int main(void)
{
    payload yes = { 1 }, no = { 0 };
    lst *l = NULL, *t;

    while (__VERIFIER_nondet_int()) {
        t = malloc(sizeof(lst));
        if (t == NULL)
            return 0;
        t->p = __VERIFIER_nondet_int() ? &yes : &no;
        t->tl = l;
        l = t;
    }
    while (l != NULL) {
        t = l;
        l = l->tl;
        if (t->p != &yes && t->p != &no)
            __VERIFIER_error();
        if (t->p->v > 1)
            __VERIFIER_error();
        free(t->p); // BUG
    }
    return 0;
}
