/* Reads "name,age" lines from standard input into a list and prints the oldest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
    char name[32];
    int age;
    struct person *next;
};

static struct person *parse(char *line)
{
    struct person *p;
    char *comma = strchr(line, ',');
    if (!comma)
        return NULL;
    *comma = '\0';
    p = malloc(sizeof(struct person));
    if (!p)
        return NULL;
    strncpy(p->name, line, sizeof p->name - 1);
    p->name[sizeof p->name - 1] = '\0';
    p->age = atoi(comma + 1);
    p->next = NULL;
    return p;
}

int main(void)
{
    char line[128];
    struct person *head = NULL, **tail = &head, *p, *oldest = NULL;

    while (fgets(line, sizeof line, stdin)) {
        p = parse(line);
        if (!p) {
            fprintf(stderr, "bad line: %s", line);
            continue;
        }
        *tail = p;
        tail = &p->next;
    }
    for (p = head; p; p = p->next)
        if (!oldest || p->age > oldest->age)
            oldest = p;
    if (oldest)
        printf("oldest: %s (%d)\n", oldest->name, oldest->age);
    while (head) {
        p = head->next;
        free(head);
        head = p;
    }
    return 0;
}
