/* A line editor: commands are functions in a table, and each leaves behind how to undo it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct editor;
typedef void (*undo_fn)(struct editor *, void *saved);

struct undo {
    undo_fn run;
    void *saved;
    struct undo *below;
};

struct editor {
    char *text;
    struct undo *undos;
};

static char *copy(const char *s)
{
    char *c = malloc(strlen(s) + 1);
    if (c) strcpy(c, s);
    return c;
}

static int remember(struct editor *e, undo_fn run, void *saved)
{
    struct undo *u = malloc(sizeof *u);
    if (!u) return 0;
    u->run = run;
    u->saved = saved;
    u->below = e->undos;
    e->undos = u;
    return 1;
}

static void restore(struct editor *e, void *saved)
{
    free(e->text);
    e->text = saved;
}

static void shorten(struct editor *e, void *saved)
{
    size_t *length = saved;
    e->text[*length] = '\0';
    free(length);
}

static int do_set(struct editor *e, const char *arg)
{
    char *text = copy(arg);
    if (!text) return 0;
    if (!remember(e, restore, e->text)) {
        free(text);
        return 0;
    }
    e->text = text;
    return 1;
}

static int do_append(struct editor *e, const char *arg)
{
    size_t *length, old = strlen(e->text);
    char *text = realloc(e->text, old + strlen(arg) + 1);
    if (!text) return 0;
    e->text = text;
    length = malloc(sizeof *length);
    if (!length || !remember(e, shorten, length)) {
        free(length);
        return 0;
    }
    *length = old;
    strcat(e->text, arg);
    return 1;
}

static int do_undo(struct editor *e, const char *arg)
{
    struct undo *u = e->undos;
    (void)arg;
    if (!u) return 0;
    e->undos = u->below;
    u->run(e, u->saved);
    free(u);
    return 1;
}

static int do_print(struct editor *e, const char *arg)
{
    printf("%s%s\n", arg, e->text);
    return 1;
}

static const struct command {
    const char *name;
    int (*run)(struct editor *, const char *);
} commands[] = {
    { "set", do_set }, { "append", do_append }, { "undo", do_undo }, { "print", do_print }, { NULL, NULL }
};

static int execute(struct editor *e, const char *name, const char *arg)
{
    for (const struct command *c = commands; c->name; c++)
        if (strcmp(c->name, name) == 0) return c->run(e, arg);
    fprintf(stderr, "no command %s\n", name);
    return 0;
}

int main(void)
{
    static const char *const script[][2] = {
        { "set", "one" }, { "append", " two" }, { "print", "> " }, { "quit", "" }, { "undo", "" },
        { "set", "x" },   { "undo", "" },       { "append", "!" },
    };
    struct editor e = { copy(""), NULL };
    int done = 0;

    if (!e.text) return 1;
    for (size_t i = 0; i < sizeof script / sizeof script[0]; i++)
        done += execute(&e, script[i][0], script[i][1]);
    printf("%d done, %s\n", done, e.text);
    while (e.undos) {
        struct undo *u = e.undos;
        e.undos = u->below;
        free(u);
    }
    free(e.text);
    return 0; // BUG
}
