#include <stdio.h>
#include <stdlib.h>

struct item {
    long number;
    struct item *next;
};

static struct item *insert(struct item *list, long number)
{
    struct item *new = malloc(sizeof *new);
    struct item **at = &list;
    if (new == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    while (*at != NULL && (*at)->number < number)
        at = &(*at)->next;
    new->number = number;
    new->next = *at;
    *at = new;
    return list;
}

int main(int argc, char **argv)
{
    struct item *list = NULL, *next;
    int i;

    if (argc < 2) {
        fprintf(stderr, "usage: sorted number...\n");
        return 1;
    }
    for (i = 1; i < argc; i++)
        list = insert(list, strtol(argv[i], NULL, 10));
    for (; list != NULL; list = next) {
        printf("%ld\n", list->number);
        next = list->next;
        free(list);
    }
    return 0;
}
