/* A calculator that is told what to do by words: push, add, dup, drop, print, quit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cell {
    int value;
    struct cell *below;
};

static struct cell *top;

static int push(int value)
{
    struct cell *c = malloc(sizeof *c);
    if (c == NULL)
        return 0;
    c->value = value;
    c->below = top;
    top = c;
    return 1;
}

static int pop(int *value)
{
    struct cell *c = top;
    if (c == NULL) {
        fprintf(stderr, "the stack is empty\n");
        return 0;
    }
    *value = c->value;
    top = c->below;
    free(c);
    return 1;
}

static int add(void)
{
    int a, b;
    if (!pop(&a))
        return 0;
    if (!pop(&b)) {
        push(a);
        return 0;
    }
    return push((a & 0xffff) + (b & 0xffff));
}

static int obey(const char *word)
{
    int value = 0;
    if (strcmp(word, "push") == 0)
        return push(1);
    if (strcmp(word, "add") == 0)
        return add();
    if (strcmp(word, "dup") == 0) {
        return push(top->value); // BUG
    }
    if (strcmp(word, "drop") == 0)
        return pop(&value);
    if (strcmp(word, "print") == 0) {
        if (top != NULL)
            printf("%d\n", top->value);
        return 1;
    }
    fprintf(stderr, "%s?\n", word);
    return 1;
}

int main(int argc, char **argv)
{
    int i, failed = 0, value;
    for (i = 1; i < argc && !failed; i++) {
        if (strcmp(argv[i], "quit") == 0)
            break;
        if (!obey(argv[i]))
            failed = 1;
    }
    while (top != NULL)
        pop(&value);
    return failed;
}
