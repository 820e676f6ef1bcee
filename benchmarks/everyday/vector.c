#include <stdio.h>
#include <stdlib.h>

struct vector {
    int *items;
    size_t used, room;
};

static int vector_add(struct vector *v, int item)
{
    if (v->used == v->room) {
        size_t room = v->room ? 2 * v->room : 2;
        int *items = realloc(v->items, room * sizeof *items);
        if (items == NULL)
            return -1;
        v->items = items;
        v->room = room;
    }
    v->items[v->used++] = item;
    return 0;
}

int main(void)
{
    struct vector v = { NULL, 0, 0 };
    size_t i;
    int sum = 0;

    for (i = 0; i < 5; i++)
        if (vector_add(&v, (int)i) < 0) {
            free(v.items);
            return 1;
        }
    for (i = 0; i < v.used; i++)
        sum += v.items[i];
    printf("%d\n", sum);
    free(v.items);
    return sum == 10 ? 0 : 1;
}
