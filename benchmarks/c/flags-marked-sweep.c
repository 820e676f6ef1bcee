#include <stdlib.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);

struct obj { struct obj *all; bool marked; };

static struct obj *heap;

static void sweep(void)
{
    struct obj **o = &heap;
    while (*o) {
        if (!(*o)->marked) {
            struct obj *dead = *o;
            *o = dead->all;
            free(dead);
        } else {
            (*o)->marked = false;
            o = &(*o)->all;
        }
    }
}

int main(void)
{
    struct obj *o;
    while (__VERIFIER_nondet_int()) {
        o = malloc(sizeof *o);
        if (!o)
            abort();
        o->marked = false;
        o->all = heap;
        heap = o;
        if (__VERIFIER_nondet_int()) {
            for (o = heap; o; o = o->all)
                if (__VERIFIER_nondet_int())
                    o->marked = true;
            sweep();
        }
    }
    sweep();
    return heap != NULL;
}
