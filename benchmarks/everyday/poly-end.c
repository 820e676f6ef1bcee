/* Polynomials as lists of terms, highest power first. */
#include <stdio.h>
#include <stdlib.h>

struct term {
    int coef, power;
    struct term *next;
};

struct term *append(struct term **head, struct term *tail, int coef, int power)
{
    struct term *t = malloc(sizeof(struct term));
    if (t == NULL) {
        fprintf(stderr, "no memory\n");
        exit(2);
    }
    t->coef = coef;
    t->power = power;
    if (tail == NULL)
        *head = t;
    else
        tail->next = t;
    return t;
}

struct term *add(const struct term *a, const struct term *b)
{
    struct term *sum = NULL, *tail = NULL;
    while (a != NULL || b != NULL) { // BUG
        int coef, power;
        if (b == NULL || (a != NULL && a->power > b->power)) {
            coef = a->coef;
            power = a->power;
            a = a->next;
        } else if (a == NULL || b->power > a->power) {
            coef = b->coef;
            power = b->power;
            b = b->next;
        } else {
            coef = a->coef + b->coef;
            power = a->power;
            a = a->next;
            b = b->next;
        }
        if (coef != 0)
            tail = append(&sum, tail, coef, power);
    }
    return sum;
}

void show(const struct term *p)
{
    if (p == NULL)
        printf("0");
    for (; p != NULL; p = p->next) {
        printf("%dx^%d", p->coef, p->power);
        if (p->next != NULL)
            printf(" + ");
    }
    printf("\n");
}

void destroy(struct term *p)
{
    while (p != NULL) {
        struct term *next = p->next;
        free(p);
        p = next;
    }
}

int main()
{
    struct term *a = NULL, *b = NULL, *s, *t;
    int n, i;

    t = append(&a, NULL, 3, 2);
    t = append(&a, t, -1, 0);
    printf("how many terms? ");
    if (scanf("%d", &n) != 1 || n > 4)
        n = 0;
    t = NULL;
    for (i = n; i > 0; i--)
        t = append(&b, t, i, i);
    s = add(a, b);
    show(s);
    destroy(a);
    destroy(b);
    destroy(s);
    return 0;
}
