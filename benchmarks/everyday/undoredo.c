#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAXTEXT 256

struct edit {
    size_t where;
    char ch;
    struct edit *prev;
};

static char text[MAXTEXT];
static size_t length;
static struct edit *undo_list, *redo_list;

static void drop(struct edit **list)
{
    while (*list) {
        struct edit *e = *list;
        *list = e->prev;
        free(e);
    }
}

static int type_char(char c)
{
    struct edit *e;
    if (length + 1 >= MAXTEXT)
        return -1;
    e = malloc(sizeof *e);
    if (!e)
        return -1;
    e->where = length;
    e->ch = c;
    e->prev = undo_list;
    undo_list = e;
    text[length++] = c;
    text[length] = '\0';
    drop(&redo_list);
    return 0;
}

static void undo(void)
{
    struct edit *e = undo_list;
    if (!e) {
        puts("nothing to undo");
        return;
    }
    undo_list = e->prev;
    if (length > 0)
        length--;
    text[length] = '\0';
    e->prev = redo_list;
    redo_list = e;
}

static void redo(void)
{
    struct edit *e = redo_list;
    if (!e) {
        puts("nothing to redo");
        return;
    }
    if (length + 1 < MAXTEXT) {
        text[length++] = e->ch;
        text[length] = '\0';
    }
    redo_list = e->prev;
    e->prev = undo_list;
    undo_list = e;
}

int main(void)
{
    int c;
    while ((c = getchar()) != EOF) {
        if (c == '<')
            undo();
        else if (c == '>')
            redo();
        else if (c == '\n')
            puts(text);
        else if (type_char((char)c) < 0)
            fprintf(stderr, "buffer full\n");
    }
    drop(&undo_list);
    drop(&redo_list);
    return 0;
}
