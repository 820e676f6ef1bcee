#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text with an undo stack: every edit keeps the text that was there. */
struct edit {
    char *before;
    struct edit *earlier;
};

struct editor {
    char *text;
    struct edit *undo;
};

static char *joined(const char *a, const char *b)
{
    char *s = malloc(strlen(a) + strlen(b) + 1);
    if (s == NULL)
        return NULL;
    strcpy(s, a);
    strcat(s, b);
    return s;
}

static int append(struct editor *e, const char *more)
{
    struct edit *edit = malloc(sizeof *edit);
    char *text = joined(e->text, more);
    if (edit == NULL || text == NULL) {
        free(edit);
        free(text);
        return -1;
    }
    edit->before = e->text;
    edit->earlier = e->undo;
    e->undo = edit;
    e->text = text;
    return 0;
}

static int undo(struct editor *e)
{
    struct edit *edit = e->undo;
    if (edit == NULL)
        return -1;
    free(e->text);
    e->text = edit->before;
    e->undo = edit->earlier;
    free(edit);
    return 0;
}

int main(void)
{
    struct editor e = { strdup(""), NULL };

    if (e.text == NULL || append(&e, "to be") != 0 || append(&e, " or not") != 0)
        return 1;
    puts(e.text);
    undo(&e);
    assert(strcmp(e.text, "to be") == 0);
    while (undo(&e) == 0)
        ;
    free(e.text);
    return 0;
}
