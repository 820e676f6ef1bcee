#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads lines into a list and prints them backwards. */
struct line {
    char *text;
    struct line *previous;
};

int main(void)
{
    char buffer[64];
    struct line *last = NULL;

    while (fgets(buffer, sizeof buffer, stdin) != NULL) {
        struct line *l = malloc(sizeof *l);
        size_t n = strlen(buffer);
        if (l == NULL)
            break;
        if (n > 0 && buffer[n - 1] == '\n')
            buffer[n - 1] = '\0';
        l->text = strdup(buffer);
        if (l->text == NULL) {
            free(l);
            break;
        }
        l->previous = last;
        last = l;
    }
    while (last != NULL) {
        struct line *previous = last->previous;
        printf("%s\n", last->text);
        free(last->text);
        free(last);
        last = previous;
    }
    return 0;
}
