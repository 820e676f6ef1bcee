#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { char name[20]; int qty; struct item *next; };
struct ctx { struct item *items; int running; };
typedef int (*handler)(struct ctx *);

static int do_add(struct ctx *c)
{
    struct item *it = malloc(sizeof *it);
    if (!it) return -1;
    printf("name and quantity? ");
    if (scanf("%19s %d", it->name, &it->qty) != 2) { free(it); return -1; }
    it->next = c->items;
    c->items = it;
    return 0;
}

static int do_list(struct ctx *c)
{
    struct item *it;
    for (it = c->items; it; it = it->next)
        printf("%s: %d\n", it->name, it->qty);
    return 0;
}

static int do_remove(struct ctx *c)
{
    char name[20];
    struct item **p;
    if (scanf("%19s", name) != 1) return -1;
    for (p = &c->items; *p; p = &(*p)->next)
        if (!strcmp((*p)->name, name)) {
            struct item *dead = *p;
            *p = dead->next;
            free(dead);
            return 0;
        }
    return -1;
}

static int do_quit(struct ctx *c) { c->running = 0; return 0; }

static const struct { const char *name; handler run; } commands[] = {
    { "add", do_add }, { "list", do_list }, { "remove", do_remove }, { "quit", do_quit },
};

int main(void)
{
    struct ctx c = { NULL, 1 };
    char word[16];
    size_t i;
    while (c.running && scanf("%15s", word) == 1) {
        for (i = 0; i < sizeof commands / sizeof commands[0]; i++)
            if (strcmp(commands[i].name, word) == 0)
                break;
        if (i == sizeof commands / sizeof commands[0])
            printf("unknown command %s\n", word);
        else if (commands[i].run(&c) < 0)
            printf("%s failed\n", word);
    }
    while (c.items) {
        struct item *it = c.items;
        c.items = it->next;
        free(it);
    }
    return 0;
}
