// Pointers that the logic does not have can still lead somewhere.
// test: --engine pdr-forall
// expect: drop unsupported
// expect: overlay unsupported
// expect: all_small unknown imprecise

#include <stdlib.h>

struct inner {
    int a;
};

struct two {
    struct inner i, j;
};

struct node {
    struct node *next;
    struct inner *twice;
};

/*@ requires reach(next, x, NULL) && x != NULL && x->next == NULL; */
void drop(struct node *x)
{
    free(x);
}

struct variant {
    struct variant *next;
    union {
        struct variant *p;
        long l;
    } u;
    int key;
};

/*@ requires reach(next, x, NULL) && x != NULL; */
void overlay(struct variant *x)
{
    x->u.l = 5;
}

/*@ requires reach(next, x, NULL);
    requires \forall struct variant *v; v != NULL && reach(next, x, v) ==> v->key == 0;
    ensures  \forall struct variant *v; v != NULL ==> v->key == 0; */
void all_small(struct variant *x)
{
}
