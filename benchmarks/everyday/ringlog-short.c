/* Keeps the last messages in a ring; a new message replaces the oldest one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 3

struct log {
    char *lines[ROOM];
    int first, count;
};

static char *joined(const char *level, const char *text)
{
    size_t a = strlen(level), b = strlen(text);
    char *line = malloc(a + b + 2);
    if (!line)
        return NULL;
    memcpy(line, level, a);
    memcpy(line + a, ": ", 2);
    memcpy(line + a + 2, text, b + 1); // BUG
    return line;
}

static int note(struct log *log, const char *level, const char *text)
{
    char *line = joined(level, text);
    int at;
    if (!line)
        return 0;
    if (log->count == ROOM) {
        free(log->lines[log->first]);
        at = log->first;
        log->first = (log->first + 1) % ROOM;
    } else {
        at = (log->first + log->count) % ROOM;
        log->count++;
    }
    log->lines[at] = line;
    return 1;
}

static void forget(struct log *log)
{
    while (log->count > 0) {
        free(log->lines[log->first]);
        log->lines[log->first] = NULL;
        log->first = (log->first + 1) % ROOM;
        log->count--;
    }
}

static void show(const struct log *log)
{
    int i;
    for (i = 0; i < log->count; i++)
        puts(log->lines[(log->first + i) % ROOM]);
}

int main(void)
{
    struct log log;
    int c;
    memset(&log, 0, sizeof log);
    while ((c = getchar()) != EOF) {
        switch (c) {
        case 'i':
            note(&log, "info", "all is well");
            break;
        case 'w':
            note(&log, "warning", "it is late");
            break;
        case 's':
            show(&log);
            break;
        case 'f':
            forget(&log);
            break;
        default:
            break;
        }
    }
    forget(&log);
    return 0;
}
