/* cuts a line of standard input at the first '=' and keeps what is behind it */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char line[100];
    char *equals, *value;

    if (!fgets(line, sizeof line, stdin)) {
        fputs("no input\n", stderr);
        return 1;
    }
    equals = strchr(line, '=');
    if (!equals) {
        fputs("no '=' in the line\n", stderr);
        return 1;
    }
    *equals = '\0';
    value = malloc(strlen(equals + 1) + 1);
    if (!value)
        return 1;
    strcpy(value, equals + 1);
    printf("key %s, value %s\n", line, value);
    free(value);
    return 0;
}
