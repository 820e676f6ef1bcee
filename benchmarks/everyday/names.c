/* Keeps its arguments in a list without duplicates, sorted, and prints it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct name {
    char *text;
    struct name *next;
};

static struct name *make(const char *text)
{
    struct name *n = malloc(sizeof *n);

    if (n == NULL)
        return NULL;
    n->text = malloc(strlen(text) + 1);
    if (n->text == NULL) {
        free(n);
        return NULL;
    }
    strcpy(n->text, text);
    n->next = NULL;
    return n;
}

/* 1 if it was added, 0 if it was there, -1 if there is no memory. */
static int add(struct name **list, const char *text)
{
    struct name **at = list;

    while (*at != NULL && strcmp((*at)->text, text) < 0)
        at = &(*at)->next;
    if (*at != NULL && strcmp((*at)->text, text) == 0)
        return 0;
    struct name *n = make(text);
    if (n == NULL)
        return -1;
    n->next = *at;
    *at = n;
    return 1;
}

static void clear(struct name **list)
{
    while (*list != NULL) {
        struct name *next = (*list)->next;
        free((*list)->text);
        free(*list);
        *list = next;
    }
}

int main(int argc, char *argv[])
{
    struct name *list = NULL;
    int status = EXIT_SUCCESS;

    for (int i = 1; i < argc; i++) {
        int added = add(&list, argv[i]);
        if (added < 0) {
            perror("names");
            status = EXIT_FAILURE;
            break;
        }
        if (added == 0)
            fprintf(stderr, "%s: given twice\n", argv[i]);
    }
    for (struct name *n = list; n != NULL; n = n->next)
        puts(n->text);
    clear(&list);
    return status;
}
