#include <stdio.h>
#include <stdlib.h>

struct cell {
    int value;
    struct cell *below;
};

static struct cell *push(struct cell *top, int value)
{
    struct cell *c = malloc(sizeof(struct cell));
    if (!c)
        exit(2);
    c->value = value;
    c->below = top;
    return c;
}

int main(void)
{
    struct cell *top = NULL;
    int n, command;

    while (scanf("%d %d", &command, &n) == 2) {
        if (command == 0) {
            top = push(top, n);
        } else if (command == 1) {
            struct cell *old = top;
            printf("%d\n", old->value); // BUG
            top = old->below;
            free(old);
        } else {
            break;
        }
    }
    while (top) {
        struct cell *below = top->below;
        free(top);
        top = below;
    }
    return 0;
}
