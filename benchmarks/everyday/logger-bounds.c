/* A logger: messages with a format, levels, and sinks that are functions with a context. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum level { DEBUG, INFO, ERROR };

typedef void (*sink_fn)(void *context, enum level level, const char *line);

struct sink {
    sink_fn write;
    void *context;
    enum level least;
};

#define MAX_SINKS 2
#define LINE 24

struct logger {
    struct sink sinks[MAX_SINKS];
    int count;
    int lost;
};

static int log_to(struct logger *log, sink_fn write, void *context, enum level least)
{
    if (log->count == MAX_SINKS) return -1;
    log->sinks[log->count].write = write;
    log->sinks[log->count].context = context;
    log->sinks[log->count].least = least;
    log->count++;
    return 0;
}

static void vlog(struct logger *log, enum level level, const char *format, va_list args)
{
    char line[LINE];
    int n = vsnprintf(line, sizeof line, format, args);
    if (n < 0) return;
    if ((size_t)n >= sizeof line) log->lost++;
    while (n > 0 && line[n - 1] == '\n') line[--n] = '\0'; // BUG
    for (int i = 0; i < log->count; i++) {
        const struct sink *s = &log->sinks[i];
        if (level >= s->least) s->write(s->context, level, line);
    }
}

static void log_info(struct logger *log, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vlog(log, INFO, format, args);
    va_end(args);
}

static void log_error(struct logger *log, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vlog(log, ERROR, format, args);
    va_end(args);
}

struct memory {
    char *lines[4];
    int count;
};

static void to_memory(void *context, enum level level, const char *line)
{
    struct memory *m = context;
    (void)level;
    if (m->count == 4) return;
    m->lines[m->count] = malloc(strlen(line) + 1);
    if (m->lines[m->count] == NULL) return;
    strcpy(m->lines[m->count], line);
    m->count++;
}

static void to_stream(void *context, enum level level, const char *line)
{
    static const char *const names[] = { "debug", "info", "error" };
    fprintf(context ? stderr : stdout, "[%s] %s\n", names[level], line);
}

int main(void)
{
    struct logger log;
    struct memory memory = { { NULL, NULL, NULL, NULL }, 0 };

    memset(&log, 0, sizeof log);
    if (log_to(&log, to_memory, &memory, DEBUG) || log_to(&log, to_stream, NULL, ERROR)) return 1;
    assert(log_to(&log, to_stream, NULL, INFO) == -1);
    log_info(&log, "start %s %d\n", "unit", 7);
    log_error(&log, "cannot read %s at %u of %ld", "input", 12u, 4096L);
    log_info(&log, "done\n\n");
    assert(memory.count == 3 && log.lost == 1);
    assert(strcmp(memory.lines[0], "start unit 7") == 0 && strlen(memory.lines[1]) == LINE - 1);
    assert(strcmp(memory.lines[2], "done") == 0);
    for (int i = 0; i < memory.count; i++) free(memory.lines[i]);
    return 0;
}
