/* Records sorted through an array of pointers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct student {
    char *name;
    int grade;
};

static struct student *student_new(const char *name, int grade)
{
    struct student *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    s->name = strdup(name);
    if (s->name == NULL) {
        free(s);
        return NULL;
    }
    s->grade = grade;
    return s;
}

static void student_free(struct student *s)
{
    if (s != NULL) {
        free(s);
    }
}

static void bubble_sort(struct student **v, int n)
{
    int swapped;
    do {
        swapped = 0;
        for (int i = 1; i < n; i++) {
            if (strcmp(v[i - 1]->name, v[i]->name) > 0) {
                struct student *t = v[i];
                v[i] = v[i - 1];
                v[i - 1] = t;
                swapped = 1;
            }
        }
        n--;
    } while (swapped);
}

int main(void)
{
    const char *names[] = { "Noether", "Gauss", "Euler" };
    int n = 0, total = 0, i;
    struct student **v = malloc(3 * sizeof *v);

    if (v == NULL)
        return 1;
    for (i = 0; i < 3; i++) {
        v[n] = student_new(names[i], 10 * i);
        if (v[n] != NULL)
            n++;
    }
    bubble_sort(v, n);
    for (i = 0; i < n; i++) {
        printf("%-10s %3d\n", v[i]->name, v[i]->grade);
        total += v[i]->grade;
        student_free(v[i]);
    }
    if (n > 0)
        printf("mean %d\n", total / n);
    free(v);
    return 0; // BUG
}
