/* Shapes with tables of operations, kept in a growing array and sorted by their area. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shape;

struct shape_ops {
    const char *name;
    int (*area)(const struct shape *self);
    void (*scale)(struct shape *self, int factor);
    void (*destroy)(struct shape *self);
};

struct shape {
    const struct shape_ops *ops;
    char *label;
};

struct rect {
    struct shape base;
    int width, height;
};

struct polygon {
    struct shape base;
    int *xs;
    size_t count;
};

static int rect_area(const struct shape *self)
{
    const struct rect *r = (const struct rect *)self;
    return r->width * r->height;
}

static void rect_scale(struct shape *self, int factor)
{
    struct rect *r = (struct rect *)self;
    r->width *= factor;
    r->height *= factor;
}

static void rect_destroy(struct shape *self)
{
    free(self->label);
    free(self);
}

static int polygon_area(const struct shape *self)
{
    const struct polygon *p = (const struct polygon *)self;
    int sum = 0;
    for (size_t i = 0; i < p->count; i++)
        sum += p->xs[i];
    return sum;
}

static void polygon_scale(struct shape *self, int factor)
{
    struct polygon *p = (struct polygon *)self;
    for (size_t i = 0; i < p->count; i++)
        p->xs[i] *= factor;
}

static void polygon_destroy(struct shape *self)
{
    struct polygon *p = (struct polygon *)self;
    free(p->xs);
    free(self->label);
    free(p);
}

static const struct shape_ops rect_ops = { "rect", rect_area, rect_scale, rect_destroy };
static const struct shape_ops polygon_ops = {
    .name = "polygon",
    .area = polygon_area,
    .scale = polygon_scale,
    .destroy = rect_destroy, // takes a polygon for a rectangle
};

static void *must(void *p)
{
    if (p == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(EXIT_FAILURE);
    }
    return p;
}

static void init(struct shape *s, const struct shape_ops *ops, const char *label)
{
    s->ops = ops;
    s->label = must(malloc(strlen(label) + 1));
    strcpy(s->label, label);
}

static struct shape *new_rect(const char *label, int width, int height)
{
    struct rect *r = must(malloc(sizeof *r));
    init(&r->base, &rect_ops, label);
    r->width = width;
    r->height = height;
    return &r->base;
}

static struct shape *new_polygon(const char *label, size_t count)
{
    struct polygon *p = must(malloc(sizeof *p));
    init(&p->base, &polygon_ops, label);
    p->xs = must(calloc(count, sizeof *p->xs));
    p->count = count;
    for (size_t i = 0; i < count; i++)
        p->xs[i] = (int)i + 1;
    return &p->base;
}

static int by_area(const void *a, const void *b)
{
    const struct shape *x = *(struct shape *const *)a, *y = *(struct shape *const *)b;
    int left = x->ops->area(x), right = y->ops->area(y);
    return (left > right) - (left < right);
}

int main(void)
{
    struct shape *all[3];
    size_t n = 0;

    all[n++] = new_rect("box", 2, 4);
    all[n++] = new_polygon("tri", 3);
    all[n++] = new_rect("dot", 1, 1);
    qsort(all, n, sizeof all[0], by_area);
    for (size_t i = 0; i < n; i++) {
        struct shape *s = all[i];
        s->ops->scale(s, 2);
        printf("%s %s: %d\n", s->ops->name, s->label, s->ops->area(s));
    }
    for (size_t i = 0; i < n; i++)
        all[i]->ops->destroy(all[i]);
    return 0; // BUG
}
