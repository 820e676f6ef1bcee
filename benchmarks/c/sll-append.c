#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct cell {
    int data;
    struct cell *next;
} cell_t;

static cell_t *cell_new(int data)
{
    cell_t *c = malloc(sizeof *c);
    if (c == NULL)
        abort();
    c->data = data;
    c->next = NULL;
    return c;
}

static cell_t *append(cell_t *list, int data)
{
    cell_t *last = list;
    if (list == NULL)
        return cell_new(data);
    while (last->next != NULL)
        last = last->next;
    last->next = cell_new(data);
    return list;
}

int main(void)
{
    cell_t *list = NULL, *c;

    while (__VERIFIER_nondet_int())
        list = append(list, 7);
    for (c = list; c != NULL; c = c->next)
        assert(c->data == 7);
    while (list != NULL) {
        c = list;
        list = list->next;
        free(c);
    }
    return 0;
}
