/* Code made by macros. */
#define DECLARE_STACK(T)                                                                           \
    struct T##_stack {                                                                             \
        T top;                                                                                     \
        struct T##_stack *rest;                                                                    \
    };                                                                                             \
    static struct T##_stack *T##_push(struct T##_stack *s, T v) {                                  \
        struct T##_stack *n = malloc(sizeof *n);                                                   \
        n->top = v;                                                                                \
        n->rest = s;                                                                               \
        return n;                                                                                  \
    }
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SWAP(a, b)                                                                                 \
    do {                                                                                           \
        __typeof__(a) t_ = (a);                                                                    \
        (a) = (b);                                                                                 \
        (b) = t_;                                                                                  \
    } while (0)
#define likely(x) __builtin_expect(!!(x), 1)
#define NULL ((void *)0)

extern void *malloc(unsigned long);
DECLARE_STACK(int)
DECLARE_STACK(long)

int top_of_two(int a, int b) {
    struct int_stack *s = int_push(int_push(NULL, a), b);
    SWAP(a, b);
    if (likely(s->rest != NULL))
        return MAX(s->top,
                   s->rest->top);
    return a == NULL;
}
