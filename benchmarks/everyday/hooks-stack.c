/* Functions that are called when a program ends, last first, with what they were registered with. */
#include <stdio.h>
#include <stdlib.h>

typedef void (*hook_fn)(void *context);

struct hook {
    hook_fn call;
    void *context;
    struct hook *next;
};

struct hooks {
    struct hook *first;
    unsigned count;
};

static int hook_add(struct hooks *hooks, hook_fn call, void *context)
{
    struct hook *h = malloc(sizeof *h);

    if (h == NULL)
        return -1;
    h->call = call;
    h->context = context;
    h->next = hooks->first;
    hooks->first = h;
    hooks->count++;
    return 0;
}

static void hooks_run(struct hooks *hooks)
{
    while (hooks->first != NULL) {
        struct hook *h = hooks->first;
        hooks->first = h->next;
        hooks->count--;
        h->call(h->context);
        free(h);
    }
}

static void release(void *context)
{
    free(context); // BUG
}

static void report(void *context)
{
    unsigned *lines = context;
    printf("%u lines\n", *lines);
}

int main(void)
{
    struct hooks hooks = { NULL, 0 };
    unsigned lines = 0;
    int c;

    if (hook_add(&hooks, release, &lines) != 0)
        return 1;
    while ((c = getchar()) != EOF) {
        if (c != '\n')
            continue;
        lines++;
        char *mark = malloc(4);
        if (mark == NULL)
            break;
        mark[0] = (char)lines;
        if (hook_add(&hooks, release, mark) != 0) {
            free(mark);
            break;
        }
    }
    hooks_run(&hooks);
    return hooks.count != 0;
}
