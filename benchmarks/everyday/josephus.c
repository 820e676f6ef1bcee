/* The Josephus problem on a circular list. */
#include <stdio.h>
#include <stdlib.h>

struct person {
    int number;
    struct person *next;
};

static struct person *make_circle(int n)
{
    struct person *first = NULL, *last = NULL;
    for (int i = 1; i <= n; i++) {
        struct person *p = malloc(sizeof *p);
        if (!p)
            exit(1);
        p->number = i;
        if (!first)
            first = p;
        else
            last->next = p;
        last = p;
        last->next = first;
    }
    return last;
}

static int survivor(int n, int k)
{
    struct person *p = make_circle(n);
    int number;

    while (p->next != p) {
        struct person *out;
        for (int i = 1; i < k; i++)
            p = p->next;
        out = p->next;
        printf("%d ", out->number);
        p->next = out->next;
        free(out);
    }
    number = p->number;
    free(p);
    return number;
}

int main(void)
{
    int n, k;

    if (scanf("%d %d", &n, &k) != 2 || n < 1 || k < 1 || n > 1000) {
        fprintf(stderr, "usage: n k, both positive\n");
        return 1;
    }
    printf("survivor: %d\n", survivor(n, k));
    return 0;
}
