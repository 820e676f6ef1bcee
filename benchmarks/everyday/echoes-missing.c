/* Prints its arguments: -n no newline, -r in reverse order, -s SEP between them. */
#include <stdio.h>
#include <string.h>

static void usage(const char *name)
{
    fprintf(stderr, "usage: %s [-nr] [-s separator] [string ...]\n", name);
}

int main(int argc, char **argv)
{
    int newline = 1, reverse = 0, i;
    const char *sep = " ";

    for (i = 1; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "--") == 0) {
            i++;
            break;
        }
        if (strcmp(argv[i], "-n") == 0) {
            newline = 0;
        } else if (strcmp(argv[i], "-r") == 0) {
            reverse = 1;
        } else if (strcmp(argv[i], "-s") == 0) {
            sep = argv[++i];
            if (sep[0] == '\\') // BUG
                sep = "\n";
        } else {
            usage(argv[0]);
            return 2;
        }
    }
    if (reverse) {
        for (int j = argc - 1; j >= i; j--)
            printf("%s%s", argv[j], j > i ? sep : "");
    } else {
        for (int j = i; j < argc; j++)
            printf("%s%s", argv[j], j + 1 < argc ? sep : "");
    }
    if (newline)
        putchar('\n');
    return 0;
}
