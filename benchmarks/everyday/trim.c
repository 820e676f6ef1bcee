/* Prints every line without blanks around it. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static char *trimmed(char *s)
{
    char *end;

    while (*s == ' ' || *s == '\t')
        s++;
    end = s + strlen(s);
    while (end > s && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\n'))
        end--;
    *end = '\0';
    return s;
}

int main(void)
{
    char line[256];
    unsigned long lines = 0;

    while (fgets(line, sizeof line, stdin)) {
        char *s = trimmed(line);
        if (*s != '\0')
            printf("%lu: %s\n", ++lines, s);
    }
    return 0;
}
