// Copies a list and never ends the copy: malloc gives memory that is not cleared.
// test: --engine sll
// expect: main violated uninit

#include <stdlib.h>

struct cell { int value; struct cell *tail; };

static struct cell *copy(struct cell *h)
{
    struct cell *first = NULL, *last = NULL;

    for (; h; h = h->tail) {
        struct cell *c = malloc(sizeof(struct cell));

        c->value = h->value;
        if (last)
            last->tail = c;
        else
            first = c;
        last = c;
    }
    return first;
}

static void release(struct cell *h)
{
    while (h) { // BUG
        struct cell *next = h->tail;

        free(h);
        h = next;
    }
}

int main(void)
{
    struct cell *one = calloc(1, sizeof *one);
    struct cell *two = copy(one);

    release(one);
    release(two);
    return 0;
}
