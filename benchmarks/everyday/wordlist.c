/* Keeps the words of standard input in a list, without those that came before. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    char *text;
    unsigned times;
    struct word *next;
};

static struct word *seen(struct word *list, const char *text)
{
    for (; list != NULL; list = list->next)
        if (strcmp(list->text, text) == 0)
            return list;
    return NULL;
}

static char *copy_of(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy == NULL) {
        perror("wordlist");
        exit(EXIT_FAILURE);
    }
    memcpy(copy, text, size);
    return copy;
}

int main(void)
{
    struct word *list = NULL, *w;
    char buffer[32];

    while (fgets(buffer, sizeof buffer, stdin) != NULL) {
        size_t n = strlen(buffer);
        while (n > 0 && (buffer[n - 1] == '\n' || buffer[n - 1] == ' '))
            buffer[--n] = '\0';
        if (n == 0)
            continue;
        w = seen(list, buffer);
        if (w != NULL) {
            w->times++;
            continue;
        }
        w = malloc(sizeof *w);
        if (w == NULL)
            break;
        w->text = copy_of(buffer);
        w->times = 1;
        w->next = list;
        list = w;
    }
    while (list != NULL) {
        w = list;
        list = w->next;
        printf("%u %s\n", w->times, w->text);
        free(w->text);
        free(w);
    }
    return 0;
}
