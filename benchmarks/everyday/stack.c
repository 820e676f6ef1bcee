#include <stdio.h>
#include <stdlib.h>

/* A stack of numbers, as a linked list. */
struct node {
    int value;
    struct node *next;
};

struct stack {
    struct node *top;
    size_t size;
};

static void stack_init(struct stack *s)
{
    s->top = NULL;
    s->size = 0;
}

static int stack_push(struct stack *s, int value)
{
    struct node *n = malloc(sizeof *n);
    if (n == NULL) {
        perror("malloc");
        return -1;
    }
    n->value = value;
    n->next = s->top;
    s->top = n;
    s->size++;
    return 0;
}

static int stack_pop(struct stack *s, int *value)
{
    struct node *n = s->top;
    if (n == NULL)
        return -1;
    *value = n->value;
    s->top = n->next;
    s->size--;
    free(n);
    return 0;
}

static void stack_clear(struct stack *s)
{
    int ignored;
    while (stack_pop(s, &ignored) == 0)
        ;
}

int main(void)
{
    struct stack s;
    int i, value;

    stack_init(&s);
    for (i = 0; i < 5; i++) {
        if (stack_push(&s, i * i) != 0) {
            stack_clear(&s);
            return EXIT_FAILURE;
        }
    }
    if (stack_pop(&s, &value) == 0)
        printf("popped %d, %zu left\n", value, s.size);
    stack_clear(&s);
    return EXIT_SUCCESS;
}
