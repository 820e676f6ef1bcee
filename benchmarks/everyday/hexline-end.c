/* Reads lines of hexadecimal digits and prints their sum. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct number {
    unsigned long value;
    struct number *next;
};

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

static int parse(const char *s, unsigned long *out)
{
    unsigned long value = 0;
    size_t i;

    for (i = 0; s[i] != '\n'; i++) { // BUG
        int d = digit(s[i]);
        if (d < -1)
            return -1;
        value = value * 16 + (unsigned long)d;
    }
    *out = value;
    return i == 0 ? -1 : 0;
}

int main(void)
{
    struct number *head = NULL, **tail = &head, *n;
    unsigned long value, sum = 0;
    char line[40];

    while (fgets(line, sizeof line, stdin)) {
        if (parse(line, &value) != 0) {
            fprintf(stderr, "not a number: %s\n", line);
            continue;
        }
        n = malloc(sizeof *n);
        if (!n)
            break;
        n->value = value;
        n->next = NULL;
        *tail = n;
        tail = &n->next;
    }
    while (head) {
        n = head->next;
        sum += head->value;
        free(head);
        head = n;
    }
    printf("%lx\n", sum);
    return 0;
}
