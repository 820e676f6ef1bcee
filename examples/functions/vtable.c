// Objects with a table of operations, one of which frees them.
// expect: main safe
#include <assert.h>
#include <stdlib.h>

struct shape {
    const struct shape_ops *ops;
    int w, h;
};

struct shape_ops {
    int (*area)(const struct shape *);
    void (*destroy)(struct shape *);
};

static int rect_area(const struct shape *s) { return s->w * s->h; }
static int square_area(const struct shape *s) { return s->w * s->w; }
static void destroy(struct shape *s) { free(s); }

static const struct shape_ops rect = { rect_area, destroy };
static const struct shape_ops square = { .destroy = destroy, .area = square_area };

static struct shape *make(const struct shape_ops *ops, int w, int h)
{
    struct shape *s = malloc(sizeof *s);
    if (!s) exit(1);
    s->ops = ops;
    s->w = w;
    s->h = h;
    return s;
}

int main(void)
{
    struct shape *all[2] = { make(&rect, 2, 3), NULL };
    int total = 0;
    all[1] = make(&square, 4, 0);
    for (int i = 0; i < 2; i++) total += all[i]->ops->area(all[i]);
    assert(total == 22);
    for (int i = 0; i < 2; i++) all[i]->ops->destroy(all[i]);
    return 0;
}
