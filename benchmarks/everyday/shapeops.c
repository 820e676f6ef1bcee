#include <stdio.h>
#include <stdlib.h>

struct shape;
struct shape_ops {
    const char *name;
    long (*area)(const struct shape *);
    void (*scale)(struct shape *, int);
};
struct shape {
    const struct shape_ops *ops;
    int a, b;
    struct shape *next;
};

static long rect_area(const struct shape *s) { return (long)s->a * s->b; }
static void rect_scale(struct shape *s, int k) { s->a = (int)((long)s->a * k % 1000); s->b = (int)((long)s->b * k % 1000); }
static long tri_area(const struct shape *s) { return (long)s->a * s->b / 2; }
static void tri_scale(struct shape *s, int k) { s->a = (int)((long)s->a * k % 1000); }

static const struct shape_ops rect_ops = { "rect", rect_area, rect_scale };
static const struct shape_ops tri_ops = { "triangle", tri_area, tri_scale };

static struct shape *shape_new(const struct shape_ops *ops, int a, int b)
{
    struct shape *s = malloc(sizeof *s);
    if (s) {
        s->ops = ops;
        s->a = a;
        s->b = b;
        s->next = NULL;
    }
    return s;
}

int main(int argc, char **argv)
{
    struct shape *all = NULL, *s;
    long total = 0;
    int i, n = argc > 1 ? atoi(argv[1]) : 5;

    if (n > 100)
        n = 100;
    for (i = 0; i < n; i++) {
        s = shape_new(i % 2 ? &rect_ops : &tri_ops, i % 50 + 1, 2);
        if (!s)
            break;
        s->next = all;
        all = s;
    }
    for (s = all; s; s = s->next)
        s->ops->scale(s, 2);
    for (s = all; s; s = s->next) {
        long area = s->ops->area(s);
        printf("%s %ld\n", s->ops->name, area);
        total = (total + area) % 100000;
    }
    printf("total %ld\n", total);
    while (all) {
        s = all;
        all = all->next;
        free(s);
    }
    return 0;
}
