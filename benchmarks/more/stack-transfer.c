// Moves a stack onto another one, node by node; the moved part is reversed.

#include <stddef.h>

struct frame {
    struct frame *up;
};

struct frame *source, *target;

/*@ requires reach(up, source, NULL) && reach(up, target, NULL);
    requires \forall struct frame *v; v != NULL && reach(up, source, v) ==> !reach(up, target, v);
    ensures  source == NULL && reach(up, target, NULL);
    ensures  \forall struct frame *v; v != NULL ==>
                 (reach(up, target, v) <==> \old(reach(up, source, v)) || \old(reach(up, target, v)));
    ensures  \forall struct frame *u, *v; u != NULL && v != NULL && \old(reach(up, source, u)) &&
                 \old(reach(up, u, v)) ==>
                 reach(up, v, u);
    ensures  \forall struct frame *u, *v; u != NULL && v != NULL && \old(reach(up, source, u)) &&
                 \old(reach(up, target, v)) ==>
                 reach(up, u, v); */
void transfer(void)
{
    struct frame *top;

    while ((top = source)) {
        source = top->up;
        top->up = target;
        target = top;
    }
}
