/* The last lines of standard input, in a ring of pointers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT 3
#define WIDTH 80

struct ring {
    char *lines[KEPT];
    size_t next;
    size_t count;
};

static int remember(struct ring *r, const char *line)
{
    char *copy = strdup(line);

    if (copy == NULL)
        return -1;
    r->lines[r->next] = copy;
    r->next = (r->next + 1) % KEPT;
    if (r->count < KEPT)
        r->count++;
    return 0;
}

static void show(const struct ring *r)
{
    size_t first = (r->next + KEPT - r->count) % KEPT;

    for (size_t i = 0; i < r->count; i++)
        puts(r->lines[(first + i) % KEPT]);
}

static void forget(struct ring *r)
{
    for (size_t i = 0; i < KEPT; i++) {
        free(r->lines[i]);
        r->lines[i] = NULL;
    }
}

int main(void)
{
    struct ring ring = { { NULL }, 0, 0 };
    char line[WIDTH];

    while (fgets(line, sizeof line, stdin) != NULL) {
        size_t len = strlen(line);
        if (len > 0 && line[len - 1] == '\n')
            line[len - 1] = '\0';
        if (remember(&ring, line) != 0) {
            perror("history");
            forget(&ring);
            return 1;
        }
    }
    show(&ring);
    forget(&ring);
    return 0; // BUG
}
