/* integer stack, linked; numbers come from the command line */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cell {
    int value;
    struct cell *below;
};

struct stack {
    struct cell *top;
    size_t depth;
};

static int push(struct stack *s, int v)
{
    struct cell *c = malloc(sizeof *c);
    if (c == NULL)
        return -1;
    c->value = v;
    c->below = s->top;
    s->top = c;
    s->depth++;
    return 0;
}

static int pop(struct stack *s, int *out)
{
    struct cell *c = s->top;
    if (c == NULL)
        return -1;
    *out = c->value;
    s->top = c->below;
    s->depth--;
    free(c);
    return 0;
}

int main(int argc, char **argv)
{
    struct stack s = { NULL, 0 };
    int i, v;

    if (argc < 2) {
        fprintf(stderr, "usage: %s number...\n", argv[0] ? argv[0] : "stack");
        return EXIT_FAILURE;
    }
    for (i = 1; i <= argc; i++) {
        if (strcmp(argv[i], "-") == 0) { // BUG: null behind the last one
            if (pop(&s, &v) == 0)
                printf("dropped %d\n", v);
            continue;
        }
        if (push(&s, atoi(argv[i])) != 0) {
            fprintf(stderr, "out of memory\n");
            while (pop(&s, &v) == 0)
                ;
            return EXIT_FAILURE;
        }
    }
    printf("%zu left\n", s.depth);
    while (pop(&s, &v) == 0)
        printf("%d\n", v);
    return EXIT_SUCCESS;
}
