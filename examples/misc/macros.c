// Lists through macros, with statement macros and token pasting.
// expect: main safe

#include <stdlib.h>
#include <assert.h>

#define DEFINE_STACK(type)                                   \
    struct type##_cell { type v; struct type##_cell *next; }; \
    static void type##_push(struct type##_cell **s, type v)  \
    {                                                        \
        struct type##_cell *c = malloc(sizeof *c);           \
        c->v = v;                                            \
        c->next = *s;                                        \
        *s = c;                                              \
    }

#define POP(s, out)              \
    do {                         \
        void *dead_ = (s);       \
        (out) = (s)->v;          \
        (s) = (s)->next;         \
        free(dead_);             \
    } while (0)

DEFINE_STACK(int)

int main(void)
{
    struct int_cell *s = NULL;
    int a, b;

    int_push(&s, 1);
    int_push(&s, 2);
    POP(s, a);
    POP(s, b);
    assert(a == 2 && b == 1 && s == NULL);
    return 0;
}
