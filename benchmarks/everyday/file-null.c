#include <stdio.h>
#include <stdlib.h>

struct number {
    int value;
    struct number *next;
};

int main(int argc, char *argv[])
{
    struct number *list = NULL;
    FILE *in = stdin;
    int value;

    if (argc > 1) {
        in = fopen(argv[1], "r");
    }
    while (fscanf(in, "%d", &value) == 1) { // BUG
        struct number *n = malloc(sizeof *n);
        if (n == NULL)
            break;
        n->value = value;
        n->next = list;
        list = n;
    }
    if (in != stdin)
        fclose(in);
    while (list != NULL) {
        struct number *next = list->next;
        printf("%d\n", list->value);
        free(list);
        list = next;
    }
    return 0;
}
