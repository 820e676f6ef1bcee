#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
    char name[12];
    int age;
    struct person *next;
};

static struct person *person_new(int number, int age, struct person *next)
{
    struct person *p = malloc(sizeof *p);
    if (p == NULL) {
        perror("malloc");
        exit(EXIT_FAILURE);
    }
    snprintf(p->name, sizeof p->name, "person-%03d", number);
    p->age = age;
    p->next = next;
    return p;
}

int main(void)
{
    struct person *people = NULL;
    char key[16];
    int i;

    for (i = 0; i < 3; i++)
        people = person_new(i, 20 + i, people);
    sprintf(key, "person-%d", 1);
    while (people != NULL) {
        struct person *next = people->next;
        if (strstr(people->name, key) != NULL)
            printf("%s is %d\n", people->name, people->age);
        free(people);
        people = next;
    }
    return 0;
}
