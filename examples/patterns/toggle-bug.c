// A stack of switches, some of which are put on top in the same position.
// test: --engine proveit
// expect: main violated assertion

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct toggle { int on; struct toggle *below; };

int main(void)
{
    struct toggle *top = NULL;
    struct toggle *t;
    int on = 0;

    while (__VERIFIER_nondet_int()) {
        t = malloc(sizeof(struct toggle));
        t->on = on;
        t->below = top;
        top = t;
        if (__VERIFIER_nondet_int())
            on = !on;
    }
    while (top != NULL) {
        t = top;
        top = top->below;
        assert(top == NULL || t->on != top->on); // BUG
        free(t);
    }
    return 0;
}
