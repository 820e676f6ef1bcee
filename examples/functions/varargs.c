// Functions with `...`: sums, lists that end with null, and wrappers of functions that print and format.
// expect: main safe
// expect: sum unsupported
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
static int sum(int n, ...) {
    va_list ap, again;
    int total = 0, i;
    va_start(ap, n);
    va_copy(again, ap);
    for (i = 0; i < n; i++) total += va_arg(ap, int);
    va_end(ap);
    for (i = 0; i < n; i++) total += va_arg(again, int);
    va_end(again);
    return total;
}
static size_t length(const char *first, ...) {
    va_list ap; size_t n = 0; const char *s;
    va_start(ap, first);
    for (s = first; s; s = va_arg(ap, const char *)) n += strlen(s);
    va_end(ap);
    return n;
}
static void log_error(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    fprintf(stderr, "error: ");
    vfprintf(stderr, fmt, ap);
    va_end(ap);
}
static void vdie(const char *fmt, va_list ap) { vprintf(fmt, ap); exit(1); }
static void die(const char *fmt, ...) { va_list ap; va_start(ap, fmt); vdie(fmt, ap); va_end(ap); }
static char *text(const char *fmt, ...) {
    char buffer[32]; va_list ap; char *copy; int n;
    va_start(ap, fmt);
    n = vsnprintf(buffer, sizeof buffer, fmt, ap);
    va_end(ap);
    if (n < 0 || (size_t)n >= sizeof buffer) return NULL;
    copy = malloc((size_t)n + 1);
    if (!copy) die("no memory for %d\n", n);
    strcpy(copy, buffer);
    return copy;
}
int main(void) {
    char *t;
    int (*say)(const char *, ...) = printf;
    assert(sum(3, 1, 2, 3) == 12 && sum(0) == 0);
    assert(length("ab", "c", (char *)NULL) == 3);
    log_error("%s: %d of %5.2f and %lu%%\n", "x", 3, 0.5, 7UL);
    t = text("%s-%03d|%-4x|%c", "ab", 7, 255u, 'z');
    assert(t && strcmp(t, "ab-007|ff  |z") == 0);
    say("%s\n", t);
    free(t);
    return 0;
}
