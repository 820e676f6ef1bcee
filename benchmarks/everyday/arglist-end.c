/* keeps its arguments in a list and prints those that are options first */
#include <stdio.h>
#include <stdlib.h>

struct arg {
    const char *text;
    struct arg *next;
};

static struct arg *prepend(struct arg *list, const char *text)
{
    struct arg *a = malloc(sizeof *a);
    if (!a)
        return NULL;
    a->text = text;
    a->next = list;
    return a;
}

static void release(struct arg *list)
{
    while (list) {
        struct arg *next = list->next;
        free(list);
        list = next;
    }
}

int main(int argc, char **argv)
{
    struct arg *list = NULL, *a;
    int options = 0;

    for (int i = 1; i <= argc; i++) {
        a = prepend(list, argv[i]);
        if (!a) {
            fprintf(stderr, "%s: out of memory\n", argv[0]);
            release(list);
            return EXIT_FAILURE;
        }
        list = a;
    }
    for (a = list; a; a = a->next)
        if (a->text[0] == '-') { // BUG: behind the last argument there is none
            printf("option %s\n", a->text);
            options = 1;
        }
    if (!options)
        puts("no options");
    for (a = list; a; a = a->next)
        if (a->text[0] != '-')
            puts(a->text);
    release(list);
    return EXIT_SUCCESS;
}
