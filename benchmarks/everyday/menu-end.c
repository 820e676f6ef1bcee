/* A menu of commands, each with a function; what it keeps is a stack of numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cell {
    long value;
    struct cell *below;
};

struct machine {
    struct cell *top;
    int running;
};

static void push(struct machine *m, long value)
{
    struct cell *c = malloc(sizeof *c);

    if (c == NULL) {
        m->running = 0;
        return;
    }
    c->value = value;
    c->below = m->top;
    m->top = c;
}

static int pop(struct machine *m, long *value)
{
    struct cell *c = m->top;

    if (c == NULL)
        return 0;
    *value = c->value;
    m->top = c->below;
    free(c);
    return 1;
}

static void do_dup(struct machine *m)
{
    if (m->top != NULL)
        push(m, m->top->value);
}

static void do_drop(struct machine *m)
{
    long ignored;
    if (!pop(m, &ignored))
        puts("empty");
}

static void do_swap(struct machine *m)
{
    long a, b;

    if (!pop(m, &a))
        return;
    if (!pop(m, &b)) {
        push(m, a);
        return;
    }
    push(m, a);
    push(m, b);
}

static void do_quit(struct machine *m)
{
    m->running = 0;
}

struct command {
    char key;
    void (*run)(struct machine *m);
};

static const struct command commands[] = {
    { 'd', do_dup }, { 'x', do_drop }, { 's', do_swap }, { 'q', do_quit },
};

int main(void)
{
    struct machine m = { NULL, 1 };
    int c;

    while (m.running && (c = getchar()) != EOF) {
        size_t i;
        if (c >= '0' && c <= '9') {
            push(&m, c - '0');
            continue;
        }
        for (i = 0; i <= sizeof commands / sizeof commands[0]; i++)
            if (commands[i].key == c) // BUG
                break;
        if (i < sizeof commands / sizeof commands[0])
            commands[i].run(&m);
    }
    while (m.top != NULL)
        do_drop(&m);
    return 0;
}
