// A list in ascending order whose cells are marked from a border on.
// expect: main safe
// expect[pdr-forall]: main verified

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    int data;
    bool mark;
    struct cell *next;
};

int main(void)
{
    int border = __VERIFIER_nondet_int();
    struct cell *l = NULL;
    struct cell *p;
    bool seen = false;

    while (__VERIFIER_nondet_int()) {
        int v = __VERIFIER_nondet_int();
        if (l == NULL || v <= l->data) {
            struct cell *c = malloc(sizeof(struct cell));
            c->data = v;
            c->mark = v >= border;
            c->next = l;
            l = c;
        }
    }
    for (p = l; p != NULL; p = p->next) {
        if (seen)
            assert(p->mark);
        if (p->mark)
            seen = true;
    }
    while (l != NULL) {
        struct cell *next = l->next;
        free(l);
        l = next;
    }
    return 0;
}
