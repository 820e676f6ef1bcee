// Swaps the two topmost cells of a stack machine, if there are two.

#include <stdlib.h>

struct cell {
    struct cell *below;
    int value;
};

struct vm {
    struct cell *top;
    int status;
};

/*@ requires vm != NULL && reach(below, vm->top, NULL);
    assigns  vm->top, vm->status, vm->top->below, vm->top->below->below;
    ensures  reach(below, vm->top, NULL);
    ensures  vm->status == 0 ==> \old(vm->top) != NULL && vm->top == \old(vm->top->below) &&
                 vm->top->below == \old(vm->top);
    ensures  vm->status != 0 ==> vm->top == \old(vm->top); */
void swap(struct vm *vm)
{
    struct cell *a = vm->top;

    vm->status = 1;
    if (a == NULL || a->below == NULL)
        return;
    struct cell *b = a->below;
    a->below = b->below;
    b->below = a;
    vm->top = b;
    vm->status = 0;
}
