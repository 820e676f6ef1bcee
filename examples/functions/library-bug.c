// A container frees what it did not get from malloc.
// expect: main violated invalid-free
#include <stdlib.h>

struct list {
    struct node *head;
    void (*release)(void *);
};

struct node {
    struct node *next;
    void *data;
};

static void destroy(struct list *l)
{
    while (l->head) {
        struct node *n = l->head;
        l->head = n->next;
        l->release(n->data); // BUG
        free(n);
    }
}

int main(void)
{
    int number = 1;
    struct list l = { NULL, free };
    struct node *n = malloc(sizeof *n);
    if (!n) return 1;
    n->data = &number;
    n->next = NULL;
    l.head = n;
    destroy(&l);
    return 0;
}
