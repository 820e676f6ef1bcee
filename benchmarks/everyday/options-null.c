/* Reads options: -v, -o NAME, --define NAME, and files; prints what would be done. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct name {
    const char *text;
    struct name *next;
};

struct options {
    int verbose;
    const char *output;
    struct name *files, *defines;
};

static int add(struct name **list, const char *text)
{
    struct name *n = malloc(sizeof *n);
    if (n == NULL)
        return 0;
    n->text = text;
    n->next = NULL;
    while (*list)
        list = &(*list)->next;
    *list = n;
    return 1;
}

static void drop(struct name *n)
{
    while (n) {
        struct name *next = n->next;
        free(n);
        n = next;
    }
}

static int parse(struct options *o, int argc, char **argv)
{
    int i;
    for (i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (strcmp(arg, "-v") == 0) {
            o->verbose++;
        } else if (strcmp(arg, "-o") == 0) {
            if (i + 1 == argc)
                return 0;
            o->output = argv[++i];
        } else if (strcmp(arg, "--define") == 0) {
            i++;
            if (strlen(argv[i]) == 0 || !add(&o->defines, argv[i])) // BUG
                return 0;
        } else if (arg[0] == '-') {
            return 0;
        } else if (!add(&o->files, arg)) {
            return 0;
        }
    }
    return 1;
}

int main(int argc, char **argv)
{
    struct options o = {0, "a.out", NULL, NULL};
    struct name *n;
    int good = parse(&o, argc, argv);
    if (!good) {
        fprintf(stderr, "usage: [-v] [-o NAME] [--define NAME] FILE...\n");
    } else {
        for (n = o.defines; n; n = n->next)
            printf("define %s\n", n->text);
        for (n = o.files; n; n = n->next)
            printf("%s -> %s\n", n->text, o.output);
    }
    drop(o.files);
    drop(o.defines);
    return good ? 0 : 2;
}
