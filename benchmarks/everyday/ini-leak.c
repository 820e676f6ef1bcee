/* Reads settings, "[section]" and "key=value" lines, and prints them sorted by section. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char *key, *value;
    struct entry *next;
};

struct section {
    char *name;
    struct entry *entries;
    struct section *next;
};

static char *copy(const char *s)
{
    char *c = malloc(strlen(s) + 1);
    if (!c) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return strcpy(c, s);
}

static struct section *find_section(struct section **all, const char *name)
{
    struct section **at = all, *s;
    while (*at && strcmp((*at)->name, name) < 0)
        at = &(*at)->next;
    if (*at && strcmp((*at)->name, name) == 0)
        return *at;
    s = malloc(sizeof *s);
    if (!s) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    s->name = copy(name);
    s->entries = NULL;
    s->next = *at;
    *at = s;
    return s;
}

static void set(struct section *s, const char *key, const char *value)
{
    struct entry *e;
    for (e = s->entries; e; e = e->next)
        if (strcmp(e->key, key) == 0) {
            // the old value is lost
            e->value = copy(value);
            return;
        }
    e = malloc(sizeof *e);
    if (!e) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    e->key = copy(key);
    e->value = copy(value);
    e->next = s->entries;
    s->entries = e;
}

static void drop(struct section *s)
{
    while (s) {
        struct section *next = s->next;
        while (s->entries) {
            struct entry *e = s->entries;
            s->entries = e->next;
            free(e->key);
            // the old value is lost
            free(e);
        }
        free(s->name);
        free(s);
        s = next;
    }
}

int main(void)
{
    char line[32];
    struct section *all = NULL, *now = NULL, *s;
    struct entry *e;

    while (fgets(line, sizeof line, stdin)) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        if (line[0] == '[') {
            end = strchr(line, ']');
            if (!end)
                continue;
            *end = '\0';
            now = find_section(&all, line + 1);
        } else {
            char *eq = strchr(line, '=');
            if (!eq)
                continue;
            *eq = '\0';
            if (!now)
                now = find_section(&all, "global");
            set(now, line, eq + 1);
        }
    }
    for (s = all; s; s = s->next)
        for (e = s->entries; e; e = e->next)
            printf("%s.%s = %s\n", s->name, e->key, e->value);
    drop(all);
    return 0; // BUG
}
