/* Checks that brackets match, line by line. */
#include <stdio.h>
#include <string.h>

#define DEPTH 8

static int matches(char open, char close)
{
    return (open == '(' && close == ')') || (open == '[' && close == ']')
        || (open == '{' && close == '}');
}

static const char *check(const char *line)
{
    char stack[DEPTH];
    int top = 0;

    for (; *line != '\0'; line++) {
        switch (*line) {
        case '(': case '[': case '{':
            if (top == DEPTH)
                return "too deep";
            stack[top++] = *line;
            break;
        case ')': case ']': case '}':
            if (top == 0 || !matches(stack[--top], *line))
                return "mismatch";
            break;
        }
    }
    return top == 0 ? "ok" : "unclosed";
}

int main(void)
{
    char line[64];

    while (fgets(line, sizeof line, stdin) != NULL) {
        size_t n = strlen(line);
        if (n > 0 && line[n - 1] == '\n')
            line[n - 1] = '\0';
        printf("%s: %s\n", line, check(line));
    }
    return ferror(stdin) ? 1 : 0;
}
