/* A line editor of one line, with undo: every change is kept as the text before it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct state {
    char *text;
    struct state *before;
};

static struct state *push(struct state *top, const char *text)
{
    struct state *s = malloc(sizeof(struct state));
    if (!s)
        return NULL;
    s->text = strdup(text);
    if (!s->text) {
        free(s);
        return NULL;
    }
    s->before = top;
    return s;
}

static struct state *undo(struct state *top)
{
    struct state *before = top->before;
    free(top->text);
    free(top);
    return before;
}

int main(void)
{
    char line[80];
    struct state *top = NULL;

    while (fgets(line, sizeof(line), stdin)) {
        if (line[0] == 'u') {
            if (top != NULL)
                top = undo(top);
        } else if (line[0] == 'p') {
            puts(top ? top->text : "(empty)");
        } else if (line[0] == 'q') {
            break;
        } else {
            struct state *s = push(top, line);
            if (!s) {
                fputs("out of memory\n", stderr);
                break;
            }
            top = s;
        }
    }
    while (top)
        top = undo(top);
    return 0;
}
