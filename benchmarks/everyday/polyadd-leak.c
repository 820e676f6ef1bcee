#include <stdio.h>
#include <stdlib.h>

struct term { int coef; int exp; struct term *next; };

static struct term *term(int c, int e, struct term *next)
{
    struct term *t = malloc(sizeof *t);
    if (t == NULL) { fprintf(stderr, "memory\n"); exit(1); }
    t->coef = c; t->exp = e; t->next = next;
    return t;
}

static struct term *add(const struct term *p, const struct term *q)
{
    struct term *sum = NULL;
    struct term **end = &sum;
    while (p != NULL || q != NULL) {
        if (q == NULL || (p != NULL && p->exp > q->exp)) {
            *end = term(p->coef, p->exp, NULL);
            end = &(*end)->next;
            p = p->next;
        } else if (p == NULL || q->exp > p->exp) {
            *end = term(q->coef, q->exp, NULL);
            end = &(*end)->next;
            q = q->next;
        } else {
            int c = (p->coef + q->coef) % 1000;
            if (c != 0) {
                *end = term(c, p->exp, NULL);
                end = &(*end)->next;
            }
            p = p->next;
            q = q->next;
        }
    }
    return sum;
}

static void print(const char *name, const struct term *p)
{
    printf("%s =", name);
    if (!p) printf(" 0");
    for (; p; p = p->next)
        printf(" %+dx^%d", p->coef, p->exp);
    printf("\n");
}

static void destroy(struct term **p)
{
    while (*p) {
        struct term *t = *p;
        *p = t->next;
        free(t);
    }
}

static struct term *random_poly(int degree)
{
    struct term *p = NULL;
    int e;
    for (e = 0; e <= degree; e++)
        if (rand() % 2)
            p = term(rand() % 19 - 9, e, p);
    return p;
}

int main(void)
{
    struct term *a = random_poly(6), *b = random_poly(8), *s;
    print("a", a);
    print("b", b);
    s = add(a, b);
    print("a+b", s);
    destroy(&a);
    destroy(&s);
    return 0; // BUG: b is lost
}
