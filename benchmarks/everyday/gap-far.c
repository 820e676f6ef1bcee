/* A gap buffer, as editors have. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gap {
    char *text;
    size_t size, start, end;
};

static int gap_init(struct gap *g, size_t size)
{
    g->text = malloc(size);
    if (g->text == NULL)
        return 0;
    g->size = size;
    g->start = 0;
    g->end = size;
    return 1;
}

static void gap_move(struct gap *g, size_t pos)
{
    if (pos < g->start) {
        size_t n = g->start - pos;
        memmove(g->text + g->end - n, g->text + pos, n);
        g->start -= n;
        g->end -= n;
    } else if (pos > g->start) {
        size_t n = pos - g->start;
        memmove(g->text + g->start, g->text + g->end, n); // BUG
        g->start += n;
        g->end += n;
    }
}

static int gap_insert(struct gap *g, char c)
{
    if (g->start == g->end)
        return 0;
    g->text[g->start++] = c;
    return 1;
}

static void gap_delete(struct gap *g)
{
    if (g->start > 0)
        g->start--;
}

static void gap_print(const struct gap *g)
{
    size_t i;
    for (i = 0; i < g->start; i++)
        putchar(g->text[i]);
    for (i = g->end; i < g->size; i++)
        putchar(g->text[i]);
    putchar('\n');
}

int main(void)
{
    struct gap g;
    const char *p;

    if (!gap_init(&g, 8))
        return 1;
    for (p = "helo"; *p; p++)
        gap_insert(&g, *p);
    gap_move(&g, 2);
    gap_insert(&g, 'l');
    gap_move(&g, 100);
    gap_insert(&g, '!');
    gap_delete(&g);
    assert(g.start == 5);
    gap_print(&g);
    free(g.text);
    return 0;
}
