#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads settings, one `name = number` a line, and looks one up. */
struct setting {
    char name[16];
    int value;
    struct setting *next;
};

static const char *const lines[] = {
    "# comment",
    "width = 80",
    "  depth=7",
    "broken",
    "",
};

static const char *skip(const char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    return s;
}

static struct setting *parse(const char *line)
{
    struct setting *s;
    const char *start = skip(line), *end = start;
    size_t n;

    if (*start == '#' || *start == '\0')
        return NULL;
    while (isalnum((unsigned char)*end))
        end++;
    n = (size_t)(end - start);
    end = skip(end);
    if (*end != '=' || n == 0 || n >= sizeof s->name)
        return NULL;
    s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    memcpy(s->name, start, n);
    s->name[n] = '\0';
    s->value = atoi(end + 1);
    return s;
}

int main(void)
{
    struct setting *all = NULL, *s;
    size_t i;

    for (i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        s = parse(lines[i]);
        if (s == NULL)
            continue;
        s->next = all;
        all = s;
    }
    for (s = all; s != NULL; s = s->next)
        if (strcmp(s->name, "depth") == 0)
            printf("depth is %d\n", s->value);
    while (all != NULL) {
        s = all->next;
        free(all);
        all = s;
    }
    return 0;
}
