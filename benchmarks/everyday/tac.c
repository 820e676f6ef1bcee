/* Prints the lines of standard input in reverse order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
    struct line *prev;
    char text[];
};

int main(void)
{
    char buf[128];
    struct line *last = NULL;
    unsigned long count = 0;

    while (fgets(buf, sizeof(buf), stdin)) {
        size_t len = strlen(buf);
        struct line *l = malloc(sizeof(*l) + len + 1);
        if (!l) {
            fprintf(stderr, "tac: line %lu: out of memory\n", count + 1);
            break;
        }
        memcpy(l->text, buf, len + 1);
        l->prev = last;
        last = l;
        count++;
    }
    while (last) {
        struct line *l = last;
        fputs(l->text, stdout);
        last = l->prev;
        free(l);
    }
    return 0;
}
